import Foundation

/// `docker-compose.yml`, as far as the test needs it.
struct ComposeFile: Decodable {
    struct Service: Decodable {
        var image: String
        var build: String?
        var entrypoint: [String]?
        var command: [String]?
        var environment: [String: Value]?
        var volumes: [String]?
        var profiles: [String]?
    }

    /// A value of the environment; compose takes numbers and texts alike.
    struct Value: Decodable, CustomStringConvertible {
        var description: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                description = String(number)
            } else {
                description = try container.decode(String.self)
            }
        }
    }

    var services: [String: Service]

    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Reads the file through a YAML parser that is not ours.
    static func load() throws -> ComposeFile {
        let script = "import json, sys, yaml; json.dump(yaml.safe_load(sys.stdin), sys.stdout)"
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", script]
        process.standardInput = try FileHandle(
            forReadingFrom: root.appending(path: "docker-compose.yml"))
        process.standardOutput = output
        try process.run()
        let json = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(ComposeFile.self, from: json)
    }

    func service(_ name: String) throws -> Service {
        guard let service = services[name] else { throw ComposeError("no service \(name)") }
        return service
    }
}

struct ComposeError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
