import Foundation
import Testing

/// A tab of a headless Chromium, used as a person uses it: see `Tests/Browser/tab.py`.
final class BrowserTab {
    private static let script = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Browser/tab.py").standardizedFileURL.path

    private let process = Process()
    private let orders = Pipe()
    private let responses = Pipe()
    private var unread = Data()

    /// Opens a page.
    init(_ address: String) throws {
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-B", Self.script, try #require(Browser.path), address,
        ]
        process.standardInput = orders
        process.standardOutput = responses
        try process.run()
    }

    deinit {
        // It ends the browser when there is nothing more to do.
        try? orders.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    private func ask(_ name: String, _ argument: Any) throws -> Any? {
        let order = try JSONSerialization.data(withJSONObject: [name: argument])
        try orders.fileHandleForWriting.write(contentsOf: order + Data("\n".utf8))
        while !unread.contains(UInt8(ascii: "\n")) {
            let more = responses.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the browser has ended")
            unread += more
        }
        let line = unread.prefix { $0 != UInt8(ascii: "\n") }
        unread = Data(unread.dropFirst(line.count + 1))
        return try JSONSerialization.jsonObject(with: line, options: .fragmentsAllowed)
    }

    /// Presses a key.
    func press(_ key: String) throws { _ = try ask("press", key) }
    /// Types into what has the focus.
    func type(_ text: String) throws { _ = try ask("type", text) }

    /// The value of a JavaScript expression, as text.
    func text(_ expression: String) throws -> String {
        try ask("evaluate", "String(\(expression))") as? String ?? ""
    }

    /// Waits until a JavaScript condition holds.
    func wait(
        until condition: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        let holds = try ask("await", condition) as? Bool
        try #require(holds == true, "\(condition)", sourceLocation: location)
    }

    /// Shows the page in a scheme of colours, or in a narrow window.
    func look(isDark: Bool = false, width: Int = 1100, height: Int = 900) throws {
        _ = try ask("look", ["dark": isDark, "width": width, "height": height] as [String: Any])
    }

    /// Leaves a picture in the folder that `APNS_BRIDGE_PAGE_PICTURES` names, if it does.
    func picture(_ name: String) throws {
        guard let folder = ProcessInfo.processInfo.environment["APNS_BRIDGE_PAGE_PICTURES"] else {
            return
        }
        _ = try ask("picture", "\(folder)/\(name).png")
    }
}
