import Delivery
import EventLoop
import Foundation
import Glibc
import Testing

/// A pipe, of which the test reads when it wants.
private final class TestPipe {
    private(set) var reading: Int32
    let writing: Int32

    init(isBlocking: Bool = true) throws {
        // A thread may write after the reader is gone.
        signal(SIGPIPE, SIG_IGN)
        var ends: [Int32] = [0, 0]
        try #require(unsafe pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
        if !isBlocking {
            let flags = fcntl(writing, F_GETFL)
            _ = fcntl(writing, F_SETFL, flags | O_NONBLOCK)
        }
    }

    /// The other end stays open: the thread of an output may still write to it, and must not find
    /// another file under its number.
    deinit { stopReading() }

    func stopReading() {
        if reading >= 0 { close(reading) }
        reading = -1
    }

    /// Reads until the text ends so, or the other end is closed.
    func read(until end: String) -> String {
        var text = ""
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !text.hasSuffix(end) {
            let count = unsafe Glibc.read(reading, &buffer, buffer.count)
            guard count > 0 else { break }
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return text
    }
}

@Suite struct `A queued output` {
    private static func line(_ number: Int) -> [UInt8] {
        Array("line \(number) \(String(repeating: "x", count: 100))\n".utf8)
    }

    private static func output(_ pipe: TestPipe, limit: Int = 200_000) throws -> QueuedOutput {
        try QueuedOutput(descriptor: pipe.writing, limit: limit) {
            Array("\($0) lines lost\n".utf8)
        }
    }

    @Test(arguments: [true, false])
    func `writes what is added, in order`(isBlocking: Bool) throws {
        let pipe = try TestPipe(isBlocking: isBlocking)
        let output = try Self.output(pipe)
        let lines = (0..<1500).map(Self.line)
        for line in lines { output.add(line) }
        output.add(Array("end\n".utf8))
        let expected = lines.map { String(decoding: $0, as: UTF8.self) }.joined() + "end\n"
        #expect(pipe.read(until: "end\n") == expected)
        #expect(output.finish())
        #expect(output.lostLines == 0)
    }

    @Test func `never waits for a reader, and says what was lost once there is room`() throws {
        let pipe = try TestPipe()
        let output = try Self.output(pipe)
        for number in 0..<10_000 { output.add(Self.line(number)) }
        let lost = output.lostLines
        #expect(lost > 5000)
        let text = pipe.read(until: " lines lost\n")
        #expect(text.hasSuffix("\n\(lost) lines lost\n"))
        // What was kept is whole, and the oldest.
        let lines = text.split(separator: "\n")
        #expect(lines.count == 10_000 - lost + 1)
        #expect(lines[0].hasPrefix("line 0 "))
        output.add(Array("end\n".utf8))
        #expect(pipe.read(until: "end\n") == "end\n")
        #expect(output.finish())
    }

    @Test func `counts the lines that a full disk does not take`() throws {
        let full = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        let output = try QueuedOutput(descriptor: full) { _ in [] }
        for number in 0..<100 { output.add(Self.line(number)) }
        #expect(output.finish())
        #expect(output.lostLines == 100)
    }

    @Test func `does not wait at its end for longer than its limit`() throws {
        let pipe = try TestPipe()
        let output = try Self.output(pipe)
        for number in 0..<10_000 { output.add(Self.line(number)) }
        let start = MonotonicClock.now
        #expect(!output.finish(within: .milliseconds(50)))
        #expect(MonotonicClock.now - start < .seconds(30))
    }

    @Test func `is written before a fault ends the process`() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let output = try QueuedOutput(descriptor: 2) { _ in [] }
            output.precedeCrash()
            for number in 0..<5000 { output.add(Self.line(number)) }
            preconditionFailure("on purpose")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for number in [0, 2500, 4999] { #expect(text.contains("line \(number) x")) }
        #expect(text.contains("on purpose"))
    }

    @Test func `drops what a closed pipe refuses, and ends`() throws {
        let pipe = try TestPipe()
        pipe.stopReading()
        let output = try Self.output(pipe)
        for number in 0..<10_000 { output.add(Self.line(number)) }
        #expect(output.finish(within: .seconds(60)))
    }
}
