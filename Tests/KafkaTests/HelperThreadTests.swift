import Testing

@testable import Kafka

@Suite struct `A helper thread` {
    @Test func `that does not end keeps nobody waiting, and can be joined later`() throws {
        let thread = HelperThread()
        let wakeup = try EventDescriptor("test")
        try thread.start("test-helper") { wakeup.wait(milliseconds: -1) }
        #expect(!thread.join(milliseconds: 50))
        wakeup.signal()
        #expect(thread.join(milliseconds: 60_000))
        #expect(thread.join(milliseconds: 0))
    }

    @Test func `that was never started needs no join`() {
        #expect(HelperThread().join(milliseconds: 0))
    }
}
