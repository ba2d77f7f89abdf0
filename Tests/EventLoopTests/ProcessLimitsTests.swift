import Testing

@testable import EventLoop

@Suite struct `The memory limit of a process` {
    private func limit(_ groups: String, _ files: [String: String]) -> Int? {
        ProcessLimits.memoryLimit(of: groups) { files[$0] }
    }

    @Test func `is the lowest of its control group and the groups above`() {
        let files = [
            "/sys/fs/cgroup/pod/worker/memory.max": "max\n",
            "/sys/fs/cgroup/pod/memory.max": "268435456\n",
            "/sys/fs/cgroup/memory.max": "536870912\n",
        ]
        #expect(limit("0::/pod/worker\n", files) == 268_435_456)
    }

    @Test func `is read at the root, as in a container`() {
        #expect(limit("0::/\n", ["/sys/fs/cgroup/memory.max": "1000\n"]) == 1000)
    }

    @Test func `is absent if no group has one, or groups are of version 1`() {
        #expect(limit("0::/\n", ["/sys/fs/cgroup/memory.max": "max\n"]) == nil)
        #expect(limit("0::/\n", [:]) == nil)
        #expect(limit("4:memory:/user\n", ["/sys/fs/cgroup/memory.max": "1\n"]) == nil)
        #expect(limit("", [:]) == nil)
    }

    @Test func `is read along with that of open files`() throws {
        #expect(try #require(ProcessLimits.current().openFiles) > 0)
    }
}
