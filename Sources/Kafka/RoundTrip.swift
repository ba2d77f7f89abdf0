internal import Synchronization

/// How far away clusters are: what the quickest answer took when they were last looked at.
enum RoundTrip {
    /// What a broker in the same place takes at most, in milliseconds.
    private static let near = 5
    private static let measured = Mutex<[String: Int]>([:])

    /// Remembers what an answer of a cluster took.
    static func note(_ milliseconds: Int, of properties: KafkaProperties) {
        measured.withLock { $0[properties.addresses] = milliseconds }
    }

    /// True unless a cluster is known to be far away.
    static func isNear(_ properties: KafkaProperties) -> Bool {
        measured.withLock { $0[properties.addresses] ?? 0 } <= near
    }
}
