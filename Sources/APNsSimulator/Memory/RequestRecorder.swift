internal import EventLoop
internal import JSON
internal import Synchronization

/// Writes every request, and everything that devices show, to a file as lines of JSON.
///
/// A line is written before the client receives its response.
final class RequestRecorder: Sendable {
    private let file: AppendingFile
    private let strings: LocalizedStrings
    private let hasFailed = Atomic<Bool>(false)

    /// Opens a file for appending, creating it if necessary.
    init(path: String, strings: LocalizedStrings) throws(SimulatorError) {
        self.strings = strings
        do throws(KernelError) {
            file = try AppendingFile(path: path)
        } catch {
            throw SimulatorError(
                .state,
                "\(path): cannot be written: \(error.description); choose a different file with"
                    + " --record"
            )
        }
    }

    func write(_ request: JudgedRequest, state: DevicePush.State?) {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name(ascii: "event")
        writer.string("judged")
        writer.members(of: request)
        if let state { writer.members(of: state) }
        writer.endObject()
        append(writer)
        guard case .delivered(let at) = state else { return }
        writeShown(request, token: request.deviceToken?.lowercased() ?? "", at: at)
    }

    func writeShown(_ request: JudgedRequest, token: String, at now: Int64) {
        let content = PayloadContent(request.body, strings)
        if request.field("apns-push-type") == "liveactivity" {
            writeActivity(request, token: token, at: now)
        }
        guard
            let shown = ShownNotification(request, content, app: request.app ?? "", at: now)
        else { return }
        var writer = JSONWriter()
        writer.beginObject()
        writer.name(ascii: "event")
        writer.string("shown")
        writer.name(ascii: "device_token")
        writer.string(token)
        writer.members(of: shown)
        writer.endObject()
        append(writer)
    }

    private func writeActivity(_ request: JudgedRequest, token: String, at now: Int64) {
        let content = ActivityContent(request.body)
        guard let event = content.event else { return }
        var writer = JSONWriter()
        writer.beginObject()
        writer.name(ascii: "event")
        writer.string("live activity")
        writer.member("device_token", token)
        writer.member("app", request.app)
        writer.member("channel_id", request.broadcastChannel)
        writer.member("activity_event", event.rawValue)
        writer.member("content_state", json: content.contentState)
        writer.member("at", time: now)
        writer.endObject()
        append(writer)
    }

    private func append(_ writer: JSONWriter) {
        // A full disk must not fail a test run; the file is then incomplete.
        guard !hasFailed.load(ordering: .relaxed) else { return }
        if !file.append(writer.bytes + [UInt8(ascii: "\n")]) {
            hasFailed.store(true, ordering: .relaxed)
        }
    }
}
