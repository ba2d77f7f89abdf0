import Testing

@testable import EventLoop

@Suite struct `The source of a program` {
    @Test func `is unknown where nothing was linked`() {
        #expect(SourceRevision(linked: "unknown").tree == .unknown)
        #expect(SourceRevision.current.commit == "unknown")
    }

    @Test func `is a commit and whether its files were changed`() {
        let clean = SourceRevision(linked: "57ace44b")
        #expect(clean.commit == "57ace44b")
        #expect(clean.tree == .clean)
        let changed = SourceRevision(linked: "57ace44b+")
        #expect(changed.commit == "57ace44b")
        #expect(changed.tree == .changed)
    }
}
