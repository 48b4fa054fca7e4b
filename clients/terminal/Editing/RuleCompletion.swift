import ConstraintLanguage

/// Possible continuations of a rule's beginning, found with the language's own parser.
enum RuleCompletion {
    /// Texts that replace the last `replaced` characters.
    struct Choices: Hashable {
        var replaced = 0
        var texts: [String] = []
    }

    /// The continuations, best first.
    ///
    /// - Parameters:
    ///   - items: The names of views and guides, in the order in which to offer them.
    static func choices(after text: String, items: [String]) -> Choices {
        let word = text.reversed().prefix { isWordPart($0) }
        let typed = String(word.reversed())
        // The last word may be the beginning of something, so what stands before it decides.
        let before = String(text.dropLast(typed.count))
        do throws(LanguageError) {
            _ = try Rule.parse(before)
            // A whole rule: a sum or a priority may follow.
            return Choices(
                replaced: typed.count, texts: matching([" @", " + ", " - "], typed))
        } catch {
            guard error.offset >= before.unicodeScalars.count else { return Choices() }
            var texts: [String] = []
            for expected in error.expected {
                switch expected {
                case "an item", "a number or an item": texts += items.map { $0 + "." }
                case "a number", "a digit", "the end", "1...1000": break
                case "\"@\" and a priority": texts.append("@")
                default:
                    if expected.hasPrefix("\""), expected.hasSuffix("\""), expected.count > 2 {
                        let token = String(expected.dropFirst().dropLast())
                        texts.append(token == "." ? token : token + " ")
                    } else {
                        texts.append(expected)
                    }
                }
            }
            return Choices(replaced: typed.count, texts: matching(texts, typed))
        }
    }

    /// The candidates that start with the typed text, without the text itself.
    private static func matching(_ texts: [String], _ typed: String) -> [String] {
        let lower = typed.lowercased()
        let prefixed = texts.filter { $0.lowercased().hasPrefix(lower) && $0 != typed }
        guard !typed.isEmpty else { return prefixed }
        let contained = texts.filter {
            !$0.lowercased().hasPrefix(lower) && $0.lowercased().contains(lower)
        }
        return prefixed + contained
    }

    private static func isWordPart(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber)
            || character == "_" || character == "-"
    }
}

/// Names that start with the typed text, or contain it.
enum NameCompletion {
    static func choices(after text: String, names: [String]) -> RuleCompletion.Choices {
        let typed = text.reversed().prefix { $0 != " " }
        let lower = String(typed.reversed()).lowercased()
        let prefixed = names.filter {
            $0.lowercased().hasPrefix(lower) && $0.lowercased() != lower
        }
        let contained = names.filter {
            let name = $0.lowercased()
            return !name.hasPrefix(lower) && name.contains(lower)
        }
        return RuleCompletion.Choices(replaced: typed.count, texts: prefixed + contained)
    }
}
