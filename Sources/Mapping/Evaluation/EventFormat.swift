internal import Delivery
internal import JSON

/// How a record's value becomes the event that paths and patterns start from.
///
/// Another format needs another case here, and another way for ``Evaluator/readEvent(in:)`` to fill
/// the tape; the code that evaluates the plan does not know the tape's origin.
enum EventFormat: Sendable, BitwiseCopyable {
    /// The value is a JSON text, and all of it is the event.
    case json
    /// The value is a JSON text, and one of its members is the event, or contains it as a string.
    case jsonInside
    /// The value is a CloudEvent, or the data of one whose attributes are headers.
    case cloudEvents
}

/// An attribute of a CloudEvent, and its location in both modes.
struct EventAttribute: Sendable, Equatable {
    /// A record without these is not a CloudEvent.
    static let required = ["specversion", "id", "source", "type"]

    var name: String
    /// The path of the attribute in structured mode.
    var path: Int32
    /// The header that contains it in binary mode.
    var header: Int32
    /// The same as HTTP spells it; -1 for none.
    var httpHeader: Int32 = -1

    /// True for a name that CloudEvents allows: lower-case letters and digits.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
            }
    }
}

/// A header that templates, patterns or attributes read.
struct HeaderSought: Sendable, Equatable {
    /// Its name, in lower case if it may be in any.
    var name: [UInt8]
    /// True for those of CloudEvents: proxies and clients of HTTP change the case of names.
    var isInAnyCase = false

    /// True for the name of this header.
    func matches(_ other: RawSpan) -> Bool {
        guard isInAnyCase else { return other.equals(name) }
        guard other.byteCount == name.count else { return false }
        for index in name.indices where other.byte(at: index).inLowerCase != name[index] {
            return false
        }
        return true
    }
}

/// Where the event stands in a record: `source.event`.
struct EventLocation: Sendable {
    /// The paths, of which the first that is present leads to the event.
    var paths: [Int32] = []
    /// Their steps, in the same order.
    var steps: [[JSONPathStep]] = []
    /// The template as written.
    var written = ""
    var location = MappingLocation(line: 1, column: 1)
}

/// Why a record contains no event.
struct EventFault: Error {
    var message: String
    /// What follows for display: where in the record that is.
    var specifics = ""
    var reason = DropReason.unparsable
    /// The position in the file of what is at fault, if it is not the record alone.
    var location: MappingLocation?
}

/// The bytes that the tape describes.
enum EventBytes {
    /// The record's value, from an offset on.
    case value(from: Int)
    /// The bytes decoded from it.
    case decoded
}
