import Foundation
import SeededRandom

// bombs-bench search [TRIES [SEED [LOG]]] looks for messages whose price is wrong, and for the
// dearest ones for their length;
//                                    the file LOG names the case at hand
// bombs-bench show CASE VIEWS prints a case's document and message bombs-bench run reads a case and
// its views from each line of standard input, sends it, and prints what
//                                    it cost; under a counter of instructions, count what lies in
//                                        `Trial.countedAnswer`
// bombs-bench sample TRIES SEED      prints random cases, as `search` does

let arguments = CommandLine.arguments
switch arguments.dropFirst().first {
case "search":
    var search = try Search(
        seed: arguments.count > 3 ? UInt64(arguments[3]) ?? 1 : 1,
        log: arguments.count > 4 ? arguments[4] : nil)
    try search.run(tries: arguments.count > 2 ? Int(arguments[2]) ?? 100_000 : 100_000)
    search.report()
case "sample":
    var search = try Search(seed: arguments.count > 3 ? UInt64(arguments[3]) ?? 1 : 1)
    try search.sample(arguments.count > 2 ? Int(arguments[2]) ?? 100 : 100)
case "show":
    let attack = attack(arguments.dropFirst(2))
    print(attack.document)
    print(attack.question.map { "\($0)" } ?? attack.ops)
case "run":
    while let line = readLine() {
        let attack = attack(line.split(separator: " ").map(String.init)[...])
        // What the runtime looks up at first use is not the message's.
        _ = try Trial(limit: Search.limit).measure(attack)
        let (document, message) = try Trial(limit: Search.limit).measure(attack, isCounted: true)
        print(
            document.units, document.nanoseconds, message.units, message.nanoseconds, message.bytes)
    }
default: fail("say `search`, `sample`, `show` or `run`")
}

func attack(_ words: ArraySlice<String>) -> Case {
    guard words.count == 2, let choices = words.first.flatMap({ Choices($0) }),
        let views = words.last.flatMap({ Int($0) })
    else { fail("a case is written as hexadecimal digits, and a number of views follows") }
    return Case(choices, views: views)
}

func fail(_ message: String) -> Never {
    print("bombs-bench: \(message)", to: &standardError)
    exit(2)
}
