internal import CNATS
import Synchronization

/// The keys of this process, by number. The library calls back with a number instead of a pointer,
/// so that a call which comes late finds nothing rather than memory that was freed.
enum NKeySigners {
    private static let seeds = Mutex<[NKeySeed]>([])

    /// The number of a seed, from 1.
    ///
    /// - Complexity: O(seeds), of which a process has one.
    static func number(of seed: NKeySeed) -> UInt {
        seeds.withLock { seeds in
            if let index = seeds.firstIndex(of: seed) { return UInt(index) + 1 }
            seeds.append(seed)
            return UInt(seeds.count)
        }
    }

    /// The library's callback: signs the server's nonce. The library frees the signature.
    static func sign(
        _ error: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
        _ signature: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?,
        _ length: UnsafeMutablePointer<Int32>?, _ nonce: UnsafePointer<CChar>?,
        _ closure: UnsafeMutableRawPointer?
    ) -> natsStatus {
        let number = Int(bitPattern: closure)
        let seed = seeds.withLock { seeds in
            seeds.indices.contains(number - 1) ? seeds[number - 1] : nil
        }
        guard let seed, let nonce else { return NATS_ERR }
        return nats_Sign(seed.text, nonce, signature, length)
    }
}
