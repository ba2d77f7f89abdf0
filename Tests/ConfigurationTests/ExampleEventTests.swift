import Configuration
import Foundation
import Testing

@Suite struct `The example event next to a connector` {
    private func warnings(_ text: String, example: String) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "orders.yaml")
        try Data(text.utf8).write(to: file)
        try Data(example.utf8).write(to: folder.appending(path: "orders.example.json"))
        return ConnectorFile.load(
            path: file.path, environment: try Example.environment(), mode: .lint
        ).diagnostics.map(\.message)
    }

    @Test(arguments: [
        ("device_token: ${token}", "device_token: ${token}\n  collapse_id: ${@key}"),
        ("payload: {aps: {badge: 1}}", "payload: {aps: {badge: 1}, x: \"${@headers.x}\"}"),
        ("notification:", "when: {\"@headers\": {a: [b]}}\nnotification:"),
        ("notification:", "when: {\"@topic\": [other], t: [1]}\nnotification:"),
    ])
    func `is not blamed for the key and headers, which it does not have`(
        _ old: String, _ new: String
    ) throws {
        let text = Example.text.replacing(old, with: new)
        #expect(try warnings(text, example: #"{"token":"aa"}"#) == [])
    }

    @Test func `has a time that a clock could have`() throws {
        let text = Example.text.replacing("ttl: 4h", with: "ttl: 4h\n  event_time: ${@timestamp}")
        #expect(try warnings(text, example: #"{"token":"aa"}"#) == [])
    }

    @Test func `is reported if it is not an event at all`() throws {
        #expect(
            try warnings(Example.text, example: "nope") == [
                "the event in orders.example.json is dropped as unparsable: the value is not valid"
                    + " JSON: expected a value at byte 0"
            ])
    }
}
