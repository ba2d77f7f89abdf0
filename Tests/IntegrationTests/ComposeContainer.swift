import Foundation

/// A service of the compose file, run as a process: its paths lie in a folder, and the names of
/// other services stand for addresses on loopback.
final class ComposeContainer {
    private let process = Process()
    private let output = Pipe()
    private var text = ""

    /// Starts a service. `replacing` is applied to its command and its environment, in order.
    init(
        _ name: String, of file: ComposeFile, in folder: URL, replacing: [(String, String)]
    ) throws {
        let service = try file.service(name)
        let root = folder.appending(path: name)
        let mounts = try Self.mount(service.volumes ?? [], at: root, in: folder)
        let all = replacing + mounts + [("$$", "$")]
        func replace(_ text: String) -> String {
            all.reduce(text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
        }
        var message = ((service.entrypoint ?? []) + (service.command ?? [])).map(replace)
        let program = service.build == nil ? message.removeFirst() : Self.executable.path
        process.executableURL = URL(filePath: program)
        process.arguments = message
        process.environment = ProcessInfo.processInfo.environment
            .merging((service.environment ?? [:]).mapValues { replace($0.description) }) { $1 }
        process.standardOutput = output
        process.standardError = output
        try process.run()
    }

    deinit { _ = end() }

    /// The program from the same build as this test.
    private static let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "apns-bridge")

    /// Reads what it prints until a word stands there, and returns all of it.
    func waitFor(_ word: String) throws -> String {
        while !text.contains(word) {
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { throw ComposeError("it ended without '\(word)':\n\(text)") }
            text += String(decoding: data, as: UTF8.self)
        }
        return text
    }

    /// Waits for its end; returns the exit code and everything it printed.
    func wait() -> (code: Int32, text: String) {
        text += String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// Stops it as compose does, and waits for its end.
    func end() -> (code: Int32, text: String) {
        if process.isRunning { process.terminate() }
        return wait()
    }

    /// Lays out the volumes; returns what to write instead of each path of the container.
    private static func mount(
        _ volumes: [String], at root: URL, in folder: URL
    ) throws -> [(String, String)] {
        let files = FileManager.default
        return try volumes.map { volume in
            let parts = volume.split(separator: ":").map(String.init)
            let target = root.appending(path: parts[1])
            try files.createDirectory(
                at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
            if parts[0].hasPrefix(".") {
                try files.copyItem(at: ComposeFile.root.appending(path: parts[0]), to: target)
            } else {
                let kept = folder.appending(path: "volumes/\(parts[0])")
                try files.createDirectory(at: kept, withIntermediateDirectories: true)
                try files.createSymbolicLink(at: target, withDestinationURL: kept)
            }
            return (parts[1], target.path)
        }
    }
}
