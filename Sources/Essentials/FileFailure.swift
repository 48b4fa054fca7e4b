private import FoundationEssentials
private import Glibc

/// Why something could not be done with a file, in the system's words.
package enum FileFailure {
    /// The system's words for what a function of `FoundationEssentials` threw, such as `No such
    /// file or directory`.
    package static func reason(of error: any Error) -> String {
        if let cause = (error as? CocoaError)?.underlying as? POSIXError {
            return reason(number: cause.code.rawValue)
        }
        if let cause = error as? POSIXError { return reason(number: cause.code.rawValue) }
        return "\(error)"
    }

    /// The system's words for a number of `errno`.
    package static func reason(number: Int32) -> String { String(cString: strerror(number)) }
}
