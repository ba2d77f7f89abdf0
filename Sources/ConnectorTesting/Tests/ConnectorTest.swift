internal import APNs
internal import YAML

/// One test of a connector: a record and Apple's answers in, requests and results out.
public struct ConnectorTest: Sendable {
    /// What is promised, in the words of the test file; unique in it.
    public let name: String
    /// Why it is left out; nil when it runs.
    public let skipReason: String?
    /// The line in the test file where it begins, from 1.
    public let line: Int
    /// The mapping of the test in the file.
    let node: YAMLNode
    let record: TestRecord
    /// What Apple answers: for each notification that is sent, in order, one for each attempt.
    let answers: [[TestAnswer]]
    /// What is to come out; nil when nothing was written yet.
    let expectation: TestExpectation?
}

/// The record that a test hands to the connector.
struct TestRecord: Sendable {
    /// When the record was made.
    enum Time: Sendable {
        /// At the test file's `now`.
        case now
        /// Kafka does not know.
        case none
        /// In milliseconds since 1970.
        case at(Int64)
    }

    /// Nil for a tombstone.
    var value: [UInt8]?
    var key: [UInt8]?
    var headers: [(name: String, value: [UInt8]?)] = []
    var time = Time.now
    /// Nil for the first topic of the connector.
    var topic: YAMLNode?
}

/// What happens to one attempt.
enum TestAnswer: Sendable {
    /// Apple answers.
    case answer(APNsResponse)
    /// The connection is cut after the request has left.
    case lost
}

/// What is to come out of a test; what is nil is not compared.
struct TestExpectation: Sendable {
    /// The line of `expect`.
    var line: Int
    var requests: (line: Int, list: [TestExpectedRequest])?
    var outcomes: TestValue?
    var unregistered: TestValue?
    var deadLetters: TestValue?
    var isFiltered: (line: Int, value: Bool)?
}

/// A request that is to be made; what is nil or not listed is not compared.
struct TestExpectedRequest: Sendable {
    var line: Int
    var token: (line: Int, text: String)?
    /// With a nil text the header must not be sent.
    var headers: [(name: String, line: Int, text: String?)] = []
    var payload: TestValue?
    /// True when the payload may hold more than what is listed.
    var mayHoldMore = false
    var byteCount: (line: Int, count: Int)?
}
