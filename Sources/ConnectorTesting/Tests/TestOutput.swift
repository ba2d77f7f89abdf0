internal import APNs
internal import Mapping

/// What came out of one test.
struct TestOutput: Sendable {
    /// One for each notification that was sent, in the order of their first attempts.
    var requests: [APNsRequest] = []
    /// The number of the notification block that made each request, from 0.
    var blocks: [Int] = []
    /// The values of the outcomes, in the order in which they were written.
    var outcomes: [TestValue] = []
    /// The values of the records about dead device tokens.
    var unregistered: [TestValue] = []
    /// The dead letters.
    var deadLetters: [TestValue] = []
    /// True when `when` did not match.
    var isFiltered = false
    /// Why a notification was not sent, or its end is not known, for people.
    var remarks: [String] = []
    /// The templates that did not find what they ask for first.
    var fallbacks: [Fallback] = []

    /// The request as a test may expect it.
    static func token(of request: APNsRequest) -> String {
        String(request.path.split(separator: "/").last ?? "")
    }
}
