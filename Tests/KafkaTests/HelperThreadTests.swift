import Testing

@testable import Kafka

@Suite struct `A helper thread` {
    @Test func `that does not end keeps nobody waiting, and can be joined later`() throws {
        let thread = HelperThread()
        let bell = try EventDescriptor("test")
        #expect(thread.start("test-helper") { bell.wait(milliseconds: -1) } == 0)
        #expect(!thread.join(milliseconds: 50))
        bell.signal()
        #expect(thread.join(milliseconds: 60_000))
        #expect(thread.join(milliseconds: 0))
    }

    @Test func `that was never started needs no join`() {
        #expect(HelperThread().join(milliseconds: 0))
    }
}
