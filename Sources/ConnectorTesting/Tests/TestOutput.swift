internal import APNs
internal import Mapping

/// The actual results of a test.
struct TestOutput: Sendable {
    /// The requests, one for each notification sent, in the order of their first attempts.
    var requests: [APNsRequest] = []
    /// The index of the notification block that produced each request.
    var blocks: [Int] = []
    /// The values of the outcomes, in the order they were written.
    var outcomes: [TestValue] = []
    /// The values of the records about unregistered device tokens.
    var unregistered: [TestValue] = []
    /// The dead letters.
    var deadLetters: [TestValue] = []
    /// True when `when` did not match.
    var isSkipped = false
    /// Why a notification was not sent, or why its result is unknown, for display.
    var remarks: [String] = []
    /// The templates that used a fallback.
    var fallbacks: [Fallback] = []

    /// The device token of a request, as a test expects it; nil for a broadcast.
    static func token(of request: APNsRequest) -> String? {
        guard request.header(channelHeader) == nil else { return nil }
        return String(request.path.split(separator: "/").last ?? "")
    }

    /// The device token, or the channel, of a request.
    static func destination(of request: APNsRequest) -> String {
        token(of: request) ?? request.header(channelHeader) ?? ""
    }

    /// The header that names the channel of a broadcast.
    static let channelHeader = "apns-channel-id"
}
