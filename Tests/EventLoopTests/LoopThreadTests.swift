import Delivery
import EventLoop
import Glibc
import Testing

@Suite struct `A thread that cannot be started` {
    @Test func `is an error that names the limits, and its work is not done`() {
        let error = #expect(throws: KernelError.self) {
            try LoopThread.$isLimitReached.withValue(true) {
                try LoopThread(name: "late") { Issue.record("was started") }.detach()
            }
        }
        #expect(error?.code == EAGAIN)
        #expect(
            error?.description == "cannot start a thread: Resource temporarily unavailable: raise"
                + " the limit of threads (ulimit -u, TasksMax= of systemd, pids.max of the control"
                + " group) or of memory")
    }

    @Test func `is the same error when the system has no memory for its stack`() async {
        await #expect(processExitsWith: .exitCode(3)) {
            var limit = rlimit(rlim_cur: 1 << 20, rlim_max: 1 << 20)
            unsafe setrlimit(__rlimit_resource_t(9), &limit)
            // The first ones may use the stacks of others that have ended.
            for _ in 0..<1000 {
                do throws(KernelError) {
                    try LoopThread(name: "idle") { while true { pause() } }.detach()
                } catch {
                    exit(error.code == EAGAIN ? 3 : 4)
                }
            }
        }
    }

    @Test func `ends a process that can receive no signals, with what to do`() async {
        let result = await #expect(
            processExitsWith: .exitCode(69), observing: [\.standardErrorContent]
        ) {
            LoopThread.$isLimitReached.withValue(true) { _ = Signals.received() }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("error: cannot start a thread: Resource temporarily unavailable"))
    }

    @Test func `fails the lookup of a host`() throws {
        var kernel = try LinuxKernel()
        LoopThread.$isLimitReached.withValue(true) {
            kernel.resolve(host: "localhost", port: 443, token: 7)
        }
        var token: UInt64?
        kernel.wait(until: kernel.now + .seconds(10)) { token = $0.token }
        #expect(token == 7)
        let found = kernel.resolved(7)
        guard case .failure(let error) = found else {
            Issue.record("\(String(describing: found))")
            return
        }
        #expect(error.code == EAGAIN)
    }
}
