internal import JSON

/// The content of a response body, or of the debug data of a GOAWAY.
struct ResponseBody: Equatable {
    /// Apple's reason; empty when there is none.
    var reason = ""
    /// Milliseconds since 1970.
    var timestamp: Int64?

    private static var maxReason: Int { 100 }

    /// Parses `{"reason":"…","timestamp":…}`; anything else counts as empty.
    ///
    /// The reason goes into logs and outcomes: it is truncated and reduced to printable ASCII.
    init(_ bytes: [UInt8]) {
        var tape = JSONTape()
        guard !bytes.isEmpty, (try? tape.read(bytes)) != nil, tape[0].kind == .object else {
            return
        }
        if let node = tape.member("reason", of: 0, in: bytes),
            let text = tape.text(of: node, in: bytes)
        {
            let printable = text.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }
            reason = String(String.UnicodeScalarView(printable.prefix(Self.maxReason)))
        }
        if let node = tape.member("timestamp", of: 0, in: bytes) {
            timestamp = tape.integer(of: node, in: bytes)
        }
    }
}
