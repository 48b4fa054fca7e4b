import SeededRandom

/// Random ops, right ones and wrong ones, over a few names so that people get into one another's
/// way.
struct SimulatedOps {
    var random: SplitMix64
    /// Decides about scroll views alone: a seed without them is otherwise the same run.
    private var scrolling: SplitMix64
    private let hasScrollViews: Bool
    private(set) var text: SimulatedText

    init(seed: UInt64) {
        random = SplitMix64(seed: seed ^ 0x5EED)
        scrolling = SplitMix64(seed: seed ^ 0x5C2011)
        hasScrollViews = scrolling.chance(1, of: 2)
        text = SimulatedText(seed: seed)
    }

    private mutating func below(_ bound: Int) -> Int { random.below(bound) }

    private mutating func view() -> String {
        ["bar", "title", "v0", "v1", "v2", "v3", "v4"][below(7)]
    }

    mutating func message() -> String {
        let ops = (0...below(3)).map { _ in op() }
        let scrolls = hasScrollViews && scrolling.chance(1, of: 4)
        let others = (scrolls ? [scrollOp()] : []) + [text.op()].compactMap(\.self)
        return "[" + (ops + others).joined(separator: ",") + "]"
    }

    /// Scroll views whose insets come and go, by themselves and with the safe area.
    private mutating func scrollOp() -> String {
        let name = "s\(scrolling.below(2))"
        let edges = (0..<4).map { _ in "\(scrolling.below(3) * 10)" }.joined(separator: ",")
        switch scrolling.below(6) {
        case 0: return #"{"op":"addView","id":"\#(name)","kind":"scroll","frame":[0,0,80,60]}"#
        case 1:
            return #"{"op":"addView","id":"t\#(name)","parent":"\#(name)","frame":[0,0,80,200]}"#
        case 2: return #"{"op":"setView","id":"\#(name)","contentInset":[\#(edges)]}"#
        case 3: return #"{"op":"setViewport","safeArea":[\#(edges)]}"#
        case 4:
            let behaviour = scrolling.pick(["always", "never", "automatic"])
            return
                #"{"op":"setView","id":"\#(name)","contentInsetAdjustmentBehavior":"\#(behaviour)"}"#
        default: return #"{"op":"removeView","id":"\#(name)"}"#
        }
    }

    private mutating func op(isNested: Bool = false) -> String {
        let name = "v\(below(5))"
        switch below(isNested ? 13 : 16) {
        case 0, 1: return #"{"op":"setConstraint","id":"w","constant":\#(below(400))}"#
        case 2: return #"{"op":"addView","id":"\#(name)","parent":"\#(view())"}"#
        case 3:
            let text = String(repeating: "word ", count: below(9))
            return #"{"op":"addView","id":"\#(name)","kind":"label","text":"\#(text)","lines":0}"#
        case 4: return #"{"op":"removeView","id":"\#(name)"}"#
        case 5:
            let side = ["left", "right", "width", "centerX"][below(4)]
            let priority = below(3) == 0 ? "" : " @\(1 + below(999))"
            return
                #"{"op":"addConstraint","id":"c\#(below(9))","rule":"\#(view()).\#(side) \#(["==", "<=", ">="][below(3)]) \#(below(300))\#(priority)"}"#
        case 6: return #"{"op":"removeConstraint","id":"c\#(below(9))"}"#
        case 7:
            return
                #"{"op":"setConstraint","id":"c\#(below(9))","priority":\#(1 + below(1000)),"constant":\#(below(300))}"#
        case 8: return #"{"op":"setViewport","width":\#(200 + below(400))}"#
        case 9: return #"{"op":"\#(["activateSet", "deactivateSet"][below(2)])","id":"wide"}"#
        case 10:
            return
                ##"{"op":"setView","id":"\##(name)","hidden":\##(below(2) == 0),"background":"#00\##(10 + below(80))00"}"##
        case 11:
            return
                #"{"op":"setView","id":"\#(name)","frame":[\#(below(90)),\#(below(90)),\#(below(90)),\#(below(90))]}"#
        case 12: return #"{"op":"resetView","id":"\#(name)","keys":["background","hidden"]}"#
        case 13: return #"{"op":"moveView","id":"\#(name)","parent":"\#(view())"}"#
        case 14: return #"{"op":"nope"}"#
        default:
            return
                #"{"op":"animate","duration":0.\#(1 + below(3)),"ops":[\#(op(isNested: true)),{"op":"layoutIfNeeded"}]}"#
        }
    }
}
