import Testing

@testable import EventLoop

@Suite(.serialized) struct `The memory of a process with keys` {
    @Test func `is neither dumped nor read by others, unless its environment asks for that`() {
        let wereEnabled = CoreDumps.areEnabled
        defer { CoreDumps.areEnabled = wereEnabled }
        CoreDumps.areEnabled = true
        CoreDumps.disable(unless: [CoreDumps.setting: "1"])
        #expect(CoreDumps.areEnabled)
        CoreDumps.disable(unless: [CoreDumps.setting: "0"])
        #expect(!CoreDumps.areEnabled)
    }

    @Test func `may still be measured`() {
        let wereEnabled = CoreDumps.areEnabled
        defer { CoreDumps.areEnabled = wereEnabled }
        CoreDumps.disable(unless: [:])
        #expect(ProcessMemory.current.resident != nil)
        #expect(ProcessUsage.openFiles != nil)
    }
}
