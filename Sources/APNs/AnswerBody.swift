internal import JSON

/// What stands in the body of an answer, or in the debug data of a GOAWAY.
struct AnswerBody: Equatable {
    /// Apple's word; empty when there is none.
    var reason = ""
    /// Milliseconds since 1970.
    var timestamp: Int64?

    /// Reads `{"reason":"…","timestamp":…}`; anything else is as if nothing stood there.
    init(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
    }
}
