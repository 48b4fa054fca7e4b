/// Times and sizes of a shard's owner.
public enum OwnerLimits {
    /// An owner that has not heard its own beats for so long writes nothing new: the others do not
    /// hear them either.
    public static let silence = Duration.milliseconds(300)
    /// A read without an answer is asked of another source after so long.
    public static let hedge = Duration.milliseconds(50)
    /// The first time after which an owner looks up a publish without an answer. It doubles at each
    /// timeout, up to `publishTimeoutMaximum`. Under load an acknowledgement takes a tenth of it.
    public static let publishTimeoutFirst = Duration.milliseconds(500)
    /// The longest such time.
    public static let publishTimeoutMaximum = Duration.seconds(1)
    /// The same after a look that a replica answered and no leader: most likely there is none. A
    /// publish that comes then is lost, and the next one is what notices that there is a leader
    /// again; questions wait until the cluster of servers has one, too.
    public static let publishTimeoutLeaderless = Duration.milliseconds(200)
    /// A request without an answer counts as unknown after so long.
    public static let requestTimeout = Duration.seconds(2)
    /// An owner that has read nothing of its own back for so long, while commits wait, refuses new
    /// ones.
    public static let stall = Duration.seconds(12)
    /// How often a claim of a later owner makes an owner look at the journal.
    public static let probeInterval = Duration.milliseconds(100)
    /// The first pause before something is asked or published again; each one doubles.
    public static let backOffFirst = Duration.milliseconds(5)
    /// The longest pause before the same record is published again. Short, for a stream that has a
    /// leader again is found by trying.
    public static let publishBackOffMaximum = Duration.milliseconds(250)
    /// The longest pause before a read is asked again.
    public static let readBackOffMaximum = Duration.seconds(1)
    /// The number of answers of the leader without an acknowledged record, each
    /// `readBackOffMaximum` or more after the last but one, after which the engine has lost the
    /// record. A leader that was replaced answers for about ten seconds; these take half a minute.
    public static let lackingAnswerMaximum = 30
    /// The largest number of bytes of one group's entries; a commit is never divided.
    public static let groupBytesMaximum = 512 << 10
    /// The largest number of bytes of commits that wait, the group under way among them.
    public static let queueBytesMaximum = 8 << 20
    /// The largest number of commits that wait.
    public static let queueCommitMaximum = 65_536
    /// The largest number of records in one answer.
    public static let pageRecordMaximum = 256
    /// A shard's tail is to have fewer bytes, so that a new owner has read it within a moment.
    public static let tailBytesMaximum = 4 << 20
    /// The number of bytes of a snapshot's chunk; the last one may have fewer.
    public static let chunkBytes = 512_000
    /// The largest number of bytes of state hashes in a hand-over; the receiver reloads rooms
    /// without one.
    public static let handOverBytesMaximum = 512 << 10
}
