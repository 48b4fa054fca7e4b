import SeededRandom

/// Everything that a generated case depends on: numbers that a generator draws from in order, and
/// zeros after them.
///
/// A case can so be written down, repeated, and changed in one place while the rest of it stays,
/// which is what a guided search needs. The idea is that of Hypothesis: MacIver and Donaldson,
/// "Test-Case Reduction via Test-Case Generation", 2020.
struct Choices {
    private(set) var numbers: [UInt8]
    /// Which of the things that ordinary scenes have little of the case has much of; `nil` where
    /// the numbers decide.
    let special: Int?
    private var index = 0

    /// Makes the choices of a case.
    init(_ numbers: [UInt8], special: Int? = nil) {
        self.numbers = numbers
        self.special = special
    }

    /// Makes choices at random.
    init(random: inout SplitMix64, count: Int, special: Int? = nil) {
        self.init(
            (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }, special: special)
    }

    /// Reads what `description` wrote.
    init?(_ text: some StringProtocol) {
        var numbers: [UInt8] = []
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, var rest = parts.first else { return nil }
        let special = parts.count == 2 ? Int(parts[1]) : nil
        if parts.count == 2, special == nil { return nil }
        while !rest.isEmpty {
            guard let number = UInt8(rest.prefix(2), radix: 16) else { return nil }
            numbers.append(number)
            rest = rest.dropFirst(2)
        }
        self.init(numbers, special: special)
    }

    /// The choices as hexadecimal digits, and after a dot what the case has much of.
    var description: String {
        let digits = numbers.map { number in
            let digits = String(number, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined()
        return special.map { "\(digits).\($0)" } ?? digits
    }

    /// The next choice, from 0 to `count` − 1.
    mutating func below(_ count: Int) -> Int {
        defer { index += 1 }
        return index < numbers.count ? Int(numbers[index]) % count : 0
    }

    /// The next choice among some things.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// A number of things, from 0 to `maximum`; small ones are as likely as large ones.
    mutating func count(to maximum: Int) -> Int {
        let bits = Int.bitWidth - maximum.leadingZeroBitCount
        let size = below(bits + 1)
        guard size > 0 else { return 0 }
        return min(maximum, 1 << (size - 1) | below(1 << min(size - 1, 7)))
    }

    /// The same case changed in some places.
    func mutated(_ random: inout SplitMix64) -> Choices {
        var numbers = numbers
        for _ in 0...random.below(4) {
            let place = random.below(numbers.count)
            switch random.below(8) {
            case 0: numbers.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
            case 1 where numbers.count > 8: numbers.remove(at: place)
            case 2: numbers[place] &+= 1
            case 3: numbers[place] &-= 1
            default: numbers[place] = UInt8(truncatingIfNeeded: random.next())
            }
        }
        return Choices(Array(numbers.prefix(200)), special: special)
    }
}
