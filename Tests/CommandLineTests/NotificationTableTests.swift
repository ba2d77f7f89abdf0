import Foundation
import Testing

@Suite final class `The table of what Apple offers` {
    private let world: SimulatorWorld

    init() throws { world = try SimulatorWorld() }

    deinit { world.remove() }

    /// What each row says, and the notification that it shows.
    private static let rows: [(what: String, notification: String)] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/Bridge/Documentation.docc/Notifications.md")
        let text = (try? String(contentsOf: path, encoding: .utf8)) ?? ""
        let section = text.components(separatedBy: "\n## ").first {
            $0.hasPrefix("What Apple offers\n")
        }
        return (section ?? "").matches(of: /\n\| ([^|]+) \| `(\{[^|`]+\})` \|/).map {
            (String($0.1), String($0.2))
        }
    }()

    /// A connector whose notification is that of a row.
    private func connector(_ notification: String) -> String {
        let start =
            notification.contains("push_type: mdm")
            ? world.managementConnector() : world.connector(for: "com.example.shop")
        return start + "notification: {device_token: \"${token}\", \(notification.dropFirst())\n"
    }

    @Test func `has rows that APNs accepts as they are`() throws {
        #expect(Self.rows.count == 25)
        let event = world.folder.appending(path: "event.json")
        try Data(#"{"token":"\#(world.token)"}"#.utf8).write(to: event)
        for row in Self.rows {
            let file = world.folder.appending(path: "row.yaml")
            try Data(connector(row.notification).utf8).write(to: file)
            let ending = try Program.run(
                Program.path, ["send", "row.yaml", "event.json"], in: world.folder)
            #expect(ending.code == 0, "\(row.what): \(ending.output)\(ending.errors)")
            #expect(ending.output.hasSuffix("1 notification: 1 accepted.\n"), "\(row.what)")
        }
    }
}
