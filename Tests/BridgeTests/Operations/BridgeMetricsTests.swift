import Delivery
import Engine
import EventLoop
import Foundation
import Testing

@testable import Bridge

@Suite struct `The metrics of a bridge` {
    /// Two workers, one of which runs and has seen every verdict.
    private static func text(reasons: Int = 1) -> String {
        var pushes = PushFigures(apps: 2)
        let app = AppID(0)
        pushes.countAccepted(app, .alert)
        pushes.measure(event: 1000, sent: 1100, responded: 1140, stored: 1200, isAccepted: true)
        for number in 0..<reasons {
            pushes.count(app, .alert, .rejected, reason: "New\(number)")
        }
        pushes.count(.none, .alert, .dropped, reason: "no_device_token")
        pushes.count(.none, .alert, .unknown, reason: nil)
        var figures = WorkerFigures(time: .distantPast, hasJoined: true, pushes: pushes)
        figures.state.suspendedApps = [.init("pay \"x\"")]
        let board = FigureBoard()
        board.publish(figures)
        let status = BridgeStatus { .distantPast }
        let apps = ["shop", "pay \"x\""]
        status.started([
            BridgeStatus.Worker(connector: "orders", number: 0, apps: apps, board: board),
            BridgeStatus.Worker(connector: "orders", number: 1, apps: apps, board: FigureBoard()),
        ])
        return BridgeMetrics(status.read()).text
    }

    @Test func `count pushes by app, type, verdict and reason`() {
        let text = Self.text()
        let start = #"apns_bridge_pushes_total{connector="orders",worker="0","#
        #expect(
            text.contains(
                start + #"app="shop",push_type="alert",verdict="accepted",reason=""} 1"#))
        #expect(
            text.contains(
                start + #"app="shop",push_type="alert",verdict="rejected",reason="other"} 1"#))
        #expect(
            text.contains(
                start + #"app="",push_type="alert",verdict="unknown",reason=""} 1"#))
    }

    @Test func `measure in seconds`() {
        let labels = #"{connector="orders",worker="0"} "#
        let text = Self.text()
        #expect(text.contains("apns_bridge_event_to_outcome_seconds_sum" + labels + "0.2\n"))
        #expect(text.contains("apns_bridge_event_to_accepted_seconds_sum" + labels + "0.14\n"))
        #expect(text.contains("apns_bridge_apns_round_trip_seconds_sum" + labels + "0.04\n"))
    }

    @Test func `show which worker runs and which app is suspended`() {
        let text = Self.text()
        #expect(text.contains(#"apns_bridge_worker_up{connector="orders",worker="1"} 0"#))
        #expect(
            text.contains(
                #"apns_bridge_sending_suspended{connector="orders",worker="0",app="pay \"x\""} 1"#))
    }

    @Test func `have as many series for a thousand new reasons as for one`() {
        let few = Self.text(reasons: 1).split(separator: "\n").count
        #expect(Self.text(reasons: 1000).split(separator: "\n").count == few)
        #expect(few < 200)
    }

    @Test func `are those that the article lists`() throws {
        let article = try String(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../Sources/Bridge/Documentation.docc/Operations.md"),
            encoding: .utf8)
        let listed = article.matches(of: /\n\| `(apns_bridge_\w+)` \| (\w+) \|/)
            .map { "\($0.output.1) \($0.output.2)" }
        let written = Self.text().matches(of: /# TYPE (apns_bridge_\w+) (\w+)/)
            .map { "\($0.output.1) \($0.output.2)" }
        #expect(listed.sorted() == written.sorted())
    }

    private static let promtool = "/usr/bin/promtool"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: promtool), "no promtool"))
    func `pass promtool's checks`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(Self.text().utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let script = "exec \(Self.promtool) check metrics <'\(file.path)'"
        let ending = try ChildProcess.run("sh", ["-c", script])
        let words = String(decoding: ending.output, as: UTF8.self)
        #expect(ending.exitCode == 0, "\(words)")
        #expect(words == "")
    }
}
