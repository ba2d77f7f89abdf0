import Foundation

/// The program as the shell sees it, from the same build as this test.
enum Program {
    struct Ending: Sendable {
        var code: Int32
        var output: String
        var errors: String
    }

    static let path = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "apns-bridge").path

    /// Runs it to its end.
    static func run(_ arguments: String...) throws -> Ending {
        try run(path, arguments)
    }

    /// Runs any program to its end; what it prints goes through files, so that nothing waits.
    static func run(
        _ path: String, _ arguments: [String], in location: URL? = nil,
        at terminal: PseudoTerminal? = nil
    ) throws -> Ending {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let output = folder.appending(path: "output")
        let errors = folder.appending(path: "errors")
        for file in [output, errors] { try Data().write(to: file) }

        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = location
        process.standardInput = terminal?.screen ?? FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        return Ending(
            code: process.terminationStatus,
            output: try String(contentsOf: output, encoding: .utf8),
            errors: try String(contentsOf: errors, encoding: .utf8))
    }

    /// Runs it until it has said something on standard error, and asks it to stop then.
    static func interrupt(
        _ arguments: [String], in location: URL, onceItSays message: String
    ) throws -> Ending {
        let process = Process()
        let errors = Pipe()
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.currentDirectoryURL = location
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = errors
        try process.run()
        var said = Data()
        while !String(decoding: said, as: UTF8.self).contains(message) {
            let more = errors.fileHandleForReading.availableData
            if more.isEmpty { break }
            said += more
        }
        process.interrupt()
        said += errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Ending(
            code: process.terminationStatus, output: "",
            errors: String(decoding: said, as: UTF8.self))
    }
}
