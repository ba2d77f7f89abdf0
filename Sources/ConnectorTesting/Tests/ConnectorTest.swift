internal import APNs
internal import YAML

/// One test of a connector: a record and APNs's responses in, requests and results out.
public struct ConnectorTest: Sendable {
    /// What the test checks, as named in the test file; unique within it.
    public let name: String
    /// Why it is skipped; nil if it runs.
    public let skipReason: String?
    /// The line in the test file where it starts, from 1.
    public let line: Int
    /// The mapping of the test in the file.
    let node: YAMLNode
    let record: TestRecord
    /// APNs's responses: for each notification sent, in order, one per attempt.
    let responses: [[TestResponse]]
    /// The expected results; nil if none are written yet.
    let expectation: TestExpectation?
}

/// The record passed to the connector.
struct TestRecord: Sendable {
    /// The record's timestamp.
    enum Time: Sendable {
        /// At the test file's `now`.
        case now
        /// No timestamp.
        case none
        /// In milliseconds since 1970.
        case at(Int64)
    }

    /// Nil for a tombstone.
    var value: [UInt8]?
    var key: [UInt8]?
    var headers: [(name: String, value: [UInt8]?)] = []
    var time = Time.now
    /// Nil for the connector's first topic.
    var topic: YAMLNode?
}

/// The result of one attempt.
enum TestResponse: Sendable {
    /// APNs responds.
    case response(APNsResponse)
    /// The connection breaks after the request was sent.
    case lost
}

/// The expected results of a test; nil values are not compared.
struct TestExpectation: Sendable {
    /// The line of `expect`.
    var line: Int
    var requests: (line: Int, list: [TestExpectedRequest])?
    var outcomes: TestValue?
    var unregistered: TestValue?
    var deadLetters: TestValue?
    var isSkipped: (line: Int, value: Bool)?
}

/// An expected request; what is nil or omitted is not compared.
struct TestExpectedRequest: Sendable {
    var line: Int
    var token: (line: Int, text: String)?
    /// With a nil string the header must be absent.
    var headers: [(name: String, line: Int, text: String?)] = []
    var payload: TestValue?
    /// True when the payload may contain more than what is listed.
    var mayHoldMore = false
    var byteCount: (line: Int, count: Int)?
}
