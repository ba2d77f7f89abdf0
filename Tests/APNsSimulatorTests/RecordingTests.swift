import Foundation
import HTTP2
import Testing

@testable import APNsSimulator

@Suite struct `The record of a simulator` {
    private func lines(_ body: (inout AdministrationWorld) throws -> Void) throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        var world = try AdministrationWorld()
        try world.memory.record(to: file.path)
        try body(&world)
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.hasSuffix("\n"))
        return text.split(separator: "\n").map(String.init)
    }

    @Test func `is never written through a symbolic link`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "precious")
        let link = folder.appending(path: "pushes.jsonl")
        try Data("kept".utf8).write(to: file)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let world = try AdministrationWorld()
        let error = #expect(throws: SimulatorError.self) { try world.memory.record(to: link.path) }
        #expect(
            error?.description
                == "\(link.path): cannot be written: it is a symbolic link; choose a"
                + " different file with --record"
        )
        #expect(try Data(contentsOf: file) == Data("kept".utf8))
    }

    @Test func `is never written to a pipe, which would wait for a reader`() throws {
        let pipe = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try #require(unsafe mkfifo(pipe.path, 0o600) == 0)
        defer { try? FileManager.default.removeItem(at: pipe) }
        let world = try AdministrationWorld()
        let error = #expect(throws: SimulatorError.self) { try world.memory.record(to: pipe.path) }
        #expect(error?.description.contains("it is not a regular file") == true)
    }

    @Test func `is for its owner alone, unless the file existed with other permissions`() throws {
        func permissions(_ existing: Int?) throws -> Int? {
            let folder = FileManager.default.temporaryDirectory
            let path = folder.appending(path: "\(UUID()).jsonl").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            if let existing {
                _ = FileManager.default.createFile(
                    atPath: path, contents: nil, attributes: [.posixPermissions: existing])
            }
            try AdministrationWorld().memory.record(to: path)
            let found = try FileManager.default.attributesOfItem(atPath: path)
            return (found[.posixPermissions] as? NSNumber)?.intValue
        }
        #expect(try permissions(nil) == 0o600)
        #expect(try permissions(0o640) == 0o640)
    }

    @Test func `has each request and everything that was shown`() throws {
        let lines = try lines { world in
            try world.push(title: "A")
            try world.push(title: "B", to: "dead" + String(repeating: "0", count: 60))
        }
        try #require(lines.count == 3)
        var line = try Response(lines[0])
        #expect(line["event"] == "judged")
        #expect(line["status"] == "200")
        #expect(line["fate"] == "delivered")
        line = try Response(lines[1])
        #expect(line["event"] == "shown")
        #expect(line["device_token"] == DeviceHarness.token)
        #expect(line["title"] == "A")
        line = try Response(lines[2])
        #expect(line["event"] == "judged")
        #expect(line["reason"] == "Unregistered")
        #expect(line["fate"] == "")
    }

    @Test func `has what was shown when the device came back`() throws {
        let lines = try lines { world in
            let path = "/devices/\(DeviceHarness.token)"
            _ = world.ask("POST", path, body: #"{"online":false}"#)
            try world.push(title: "A")
            _ = world.ask("POST", path, body: #"{"online":true}"#)
        }
        try #require(lines.count == 2)
        #expect(try Response(lines[0])["fate"] == "stored")
        #expect(try Response(lines[1])["event"] == "shown")
        #expect(try Response(lines[1])["title"] == "A")
    }

    @Test func `has what a Live Activity showed`() throws {
        let lines = try lines { world in
            var request = world.client.request()
            request.topic = [UInt8]("com.example.app.push-type.liveactivity".utf8)
            request.pushType = [UInt8]("liveactivity".utf8)
            request.body = [UInt8](#"{"aps":{"event":"update","content-state":{"a":1}}}"#.utf8)
            _ = try world.client.push(request)
        }
        try #require(lines.count == 2)
        #expect(
            lines[1].hasPrefix(
                #"{"event":"live activity","device_token":"\#(JudgeFixture.token)","#
                    + #""app":"com.example.app","channel_id":null,"activity_event":"update","#
                    + #""content_state":{"a":1},"at":"#))
    }

    @Test func `is one line each, whatever a request contains`() throws {
        let lines = try lines { world in
            try world.push(title: #"\n\r\u0000\u2028\""#)
            var request = world.client.request()
            request.body = [0xFF, 0x0A, 0x00]
            _ = try world.client.push(request)
        }
        try #require(lines.count == 3)
        for line in lines { _ = try Response(line) }
    }

    @Test func `never contains a whole provider token`() throws {
        let lines = try lines { try $0.push(title: "A") }
        for line in lines { #expect(line.firstMatch(of: /eyJ[\w-]{20,}/) == nil) }
    }
}
