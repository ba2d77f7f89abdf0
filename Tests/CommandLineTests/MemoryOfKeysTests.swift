import EventLoop
import Foundation
import TLS
import Testing

/// The memory of another process that this one has started.
private struct OtherMemory {
    private let process: Int32

    init(of process: Int32) { self.process = process }

    /// How often a text is in what the process may write.
    func count(_ text: String) throws -> Int {
        let memory = try FileHandle(forReadingFrom: URL(filePath: "/proc/\(process)/mem"))
        defer { try? memory.close() }
        let maps = try String(contentsOfFile: "/proc/\(process)/maps", encoding: .utf8)
        return maps.split(separator: "\n").reduce(0) { count, line in
            let fields = line.split(separator: " ")
            let ends = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            guard fields[1].hasPrefix("rw"), ends.count == 2,
                (try? memory.seek(toOffset: ends[0])) != nil,
                let bytes = try? memory.read(upToCount: Int(ends[1] - ends[0]))
            else { return count }
            return count + Self.count(Data(text.utf8), in: bytes)
        }
    }

    private static func count(_ text: Data, in bytes: Data) -> Int {
        var count = 0
        var start = bytes.startIndex
        while let found = bytes.range(of: text, in: start..<bytes.endIndex) {
            count += 1
            start = found.upperBound
        }
        return count
    }
}

@Suite struct `The memory of a running bridge` {
    /// Lines of a key's PEM text, which are Base64 of the key.
    private func lines(of pem: [UInt8]) -> [String] {
        String(decoding: pem, as: UTF8.self).split(separator: "\n").map(String.init)
            .filter { $0.count == 64 }
    }

    @Test(.enabled(if: FreedMemory.canBeWiped, "a sanitizer has an allocator of its own"))
    func `does not contain the text of its signing key, nor after a reload that of another one`()
        throws
    {
        let world = try BadInputWorld()
        try world.writeConnector()
        let first = try Data(contentsOf: world.folder.appending(path: "AuthKey.p8"))
        let program = try RunningProgram(
            ["run", "orders.yaml"], in: world.folder,
            environment: [CoreDumps.setting: "1"])
        #expect(program.listen(until: "info started"))
        let memory = OtherMemory(of: program.identifier)
        // What is searched for can be found: a path that the process needs.
        #expect(try memory.count("AuthKey.p8") > 0)
        for line in lines(of: Array(first)) { #expect(try memory.count(line) == 0) }

        let other = try SigningKey.generate().privateKeyPEM
        try world.write(other, to: "AuthKey.p8")
        try world.writeConnector("startup_deadline:", "startup_deadline: 200ms")
        program.send(SIGHUP)
        #expect(program.listen(until: "info connector changed"))
        for line in lines(of: Array(first) + other) { #expect(try memory.count(line) == 0) }
        #expect(!lines(of: other).isEmpty)
        #expect(program.terminate() == 0)
    }

    private static let jemalloc = "/usr/lib/\(Self.machine)-linux-gnu/libjemalloc.so.2"
    #if arch(arm64)
        private static let machine = "aarch64"
    #else
        private static let machine = "x86_64"
    #endif

    @Test(.enabled(if: FileManager.default.fileExists(atPath: jemalloc), "no jemalloc"))
    func `is that of an allocator which the user preloads`() throws {
        let world = try BadInputWorld()
        try world.writeConnector()
        let ending = try Program.run(
            "/usr/bin/env",
            ["LD_PRELOAD=\(Self.jemalloc)", Program.path, "lint", "orders.yaml"],
            in: world.folder)
        #expect(ending.code == 0, "\(ending.errors)")
    }
}
