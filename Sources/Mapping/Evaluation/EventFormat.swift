/// How the value of a record becomes the event that paths and patterns begin in.
///
/// A further format is a further case here, and one more way for ``Evaluator/readEvent(in:)`` to
/// fill the tape; nothing that walks the plan knows where the tape came from.
enum EventFormat: Sendable, BitwiseCopyable {
    /// The value is a JSON text, and the event is the whole of it.
    case json
    /// The value is a CloudEvent, or the data of one whose attributes are headers.
    case cloudEvents
}

/// An attribute of a CloudEvent, and where the two modes keep it.
struct EventAttribute: Sendable, Equatable {
    /// Without these a record is not a CloudEvent.
    static let required = ["specversion", "id", "source", "type"]

    var name: String
    /// The path to it in structured mode.
    var path: Int32
    /// The header that holds it in binary mode.
    var header: Int32

    /// True for what CloudEvents allows: lower-case letters and digits.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
            }
    }
}

/// Why a record holds no event.
struct EventFault: Error {
    var words: String
}

/// Where the event lies that the tape describes.
enum EventBytes {
    /// In the record's value, from an offset on.
    case value(from: Int)
    /// In what was decoded from it.
    case decoded
}
