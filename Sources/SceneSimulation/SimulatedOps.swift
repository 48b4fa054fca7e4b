import SeededRandom

/// Random ops, right ones and wrong ones, over a few names so that people get into one another's
/// way.
struct SimulatedOps {
    var random: SplitMix64

    private mutating func below(_ bound: Int) -> Int { random.below(bound) }

    private mutating func view() -> String {
        ["bar", "title", "v0", "v1", "v2", "v3", "v4"][below(7)]
    }

    mutating func message() -> String {
        "[" + (0...below(3)).map { _ in op() }.joined(separator: ",") + "]"
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
