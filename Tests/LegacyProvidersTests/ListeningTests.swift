import Testing

@testable import LegacyProviders

@Suite struct `The authorities of a legacy listener` {
    @Test func `are none where every app names its clients by fingerprints`() {
        #expect(Listening.authorities([[], []]) == [])
    }

    @Test func `are those of all apps, each on lines of its own`() {
        let joined = Listening.authorities([Array("A".utf8), [], Array("B".utf8)])
        #expect(joined == Array("A\nB\n".utf8))
    }
}
