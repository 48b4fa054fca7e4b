import SeededRandom

/// Ops of a random session, right ones and wrong ones.
struct RandomScript {
    private var random: SplitMix64

    init(seed: Int) { random = SplitMix64(seed: UInt64(seed) &* 0x9E37_79B9_7F4A_7C15) }

    mutating func below(_ bound: Int) -> Int { random.below(bound) }

    private mutating func view() -> String {
        ["bar", "title", "v0", "v1", "v2", "v3", "v4"][below(7)]
    }

    private mutating func attribute() -> String {
        ["left", "right", "width", "centerX"][below(4)]
    }

    /// One op, right or wrong.
    mutating func op(nested: Bool = false) -> String {
        let name = "v\(below(5))"
        switch below(nested ? 11 : 13) {
        case 0: return #"{"op":"setConstraint","id":"w","constant":\#(below(400))}"#
        case 1: return #"{"op":"addView","id":"\#(name)","parent":"\#(view())"}"#
        case 2:
            return
                #"{"op":"addView","id":"\#(name)","kind":"label","text":"\#(String(repeating: "word ", count: below(9)))","lines":0}"#
        case 3: return #"{"op":"removeView","id":"\#(name)"}"#
        case 4:
            let priority = below(3) == 0 ? "" : " @\(1 + below(999))"
            return
                #"{"op":"addConstraint","id":"c\#(below(12))","rule":"\#(view()).\#(attribute()) \#(["==", "<=", ">="][below(3)]) \#(below(300))\#(priority)"}"#
        case 5:
            let a = view()
            let b = view()
            let side = ["left", "right", "centerX"][below(3)]
            return
                #"{"op":"addConstraint","id":"c\#(below(12))","rule":"\#(a).\#(side) == \#(b).\#(side) + \#(below(50)) @\#(1 + below(1000))"}"#
        case 6: return #"{"op":"removeConstraint","id":"c\#(below(12))"}"#
        case 7:
            return
                #"{"op":"setConstraint","id":"c\#(below(12))","priority":\#(1 + below(1000)),"constant":\#(below(300))}"#
        case 8: return #"{"op":"setViewport","width":\#(200 + below(400))}"#
        case 9: return #"{"op":"\#(["activateSet", "deactivateSet"][below(2)])","id":"wide"}"#
        case 10:
            return #"{"op":"setView","id":"\#(name)","hidden":\#(below(2) == 0),"collapses":true}"#
        case 11: return #"{"op":"moveView","id":"\#(name)","parent":"\#(view())"}"#
        default:
            return
                #"{"op":"animate","duration":0.1,"ops":[\#(op(nested: true)),{"op":"layoutIfNeeded"}]}"#
        }
    }
}
