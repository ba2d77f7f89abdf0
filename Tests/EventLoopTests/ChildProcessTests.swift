import EventLoop
import Testing

@Suite struct `Another program` {
    @Test func `is run to its end, with both of its outputs`() throws {
        let ending = try ChildProcess.run("sh", ["-c", "echo out; echo err >&2; exit 3"])
        #expect(ending.exitCode == 3)
        #expect(String(decoding: ending.output, as: UTF8.self) == "out\nerr\n")
        #expect(ending.userSeconds + ending.kernelSeconds < 10)
    }

    @Test func `that a signal ends has its number`() throws {
        #expect(try ChildProcess.run("sh", ["-c", "kill -9 $$"]).exitCode == 137)
    }

    @Test func `that says more than is kept ends nevertheless`() throws {
        let ending = try ChildProcess.run("head", ["-c", "300000", "/dev/zero"], limit: 1000)
        #expect(ending.exitCode == 0)
        #expect(ending.output.count == 1000)
    }

    @Test func `reads nothing`() throws {
        #expect(try ChildProcess.run("cat", []).output.isEmpty)
    }

    @Test func `that does not exist is named`() {
        #expect(throws: ChildProcess.Failure.notFound) {
            try ChildProcess.run("there-is-no-such-program", [])
        }
    }
}
