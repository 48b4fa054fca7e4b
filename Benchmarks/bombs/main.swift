import Foundation
import SeededRandom

// bombs-bench search [TRIES [SEED]]   looks for messages whose price is wrong, and for the dearest ones for their length
// bombs-bench show CASE VIEWS        prints a case's document and message
// bombs-bench run CASE VIEWS         sends a case once and prints what it cost; under a counter of instructions, count
//                                    what lies in `Trial.countedAnswer`

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "search":
    var search = Search(seed: arguments.count > 3 ? UInt64(arguments[3]) ?? 1 : 1)
    try search.run(tries: arguments.count > 2 ? Int(arguments[2]) ?? 100_000 : 100_000)
    search.report()
case "show", "run":
    guard arguments.count > 3, let choices = Choices(arguments[2]), let views = Int(arguments[3])
    else { fail("a case is written as hexadecimal digits, and a number of views follows") }
    let attack = Case(choices, views: views)
    if arguments[1] == "show" {
        print(attack.document)
        print(attack.question.map { "\($0)" } ?? attack.ops)
    } else {
        // What the runtime looks up at first use is not the message's.
        _ = try Trial(limit: Search.limit).measure(attack, isCounted: false)
        let (document, message) = try Trial(limit: Search.limit).measure(attack)
        print(
            document.units, document.nanoseconds, message.units, message.nanoseconds, message.bytes)
    }
default: fail("say `search`, `show` or `run`")
}

func fail(_ message: String) -> Never {
    print("bombs-bench: \(message)", to: &standardError)
    exit(2)
}
