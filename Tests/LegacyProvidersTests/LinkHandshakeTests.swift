import EventLoop
import TLS
import Testing

@testable import LegacyProviders

@Suite struct `A handshake with a legacy provider` {
    private func refusals(_ stage: LinkStage) -> [CertificateDescription?] {
        stage.table.takeEvents().compactMap { event -> CertificateDescription?? in
            if case .refused(_, let certificate) = event { certificate } else { nil }
        }
    }

    @Test func `leaves nothing behind when it is cut in the middle`() throws {
        let stage = try LinkStage()
        try stage.connect(1, speaksTLS: false)
        let hello = try stage.hello()
        stage.kernel.sockets[1]?.toTable = Array(hello.prefix(hello.count / 2))
        stage.talk(1)
        #expect(stage.table.count == 1)
        stage.kernel.sockets[1]?.peerHasEnded = true
        stage.talk(1)
        #expect(stage.table.count == 0)
        #expect(stage.owner.received == [])
    }

    @Test func `is reset after ten seconds, even if single bytes keep coming`() throws {
        let stage = try LinkStage()
        try stage.connect(1, speaksTLS: false)
        for byte in try stage.hello().prefix(9) {
            stage.kernel.sockets[1]?.toTable = [byte]
            stage.talk(1)
            stage.pass(seconds: 1)
        }
        #expect(stage.table.count == 1)
        stage.pass(seconds: 1)
        #expect(stage.table.count == 0)
        #expect(stage.kernel.sockets[1]?.isReset == true)
    }

    @Test func `refuses a stranger that speaks only TLS 1.3`() throws {
        let stage = try LinkStage(bundleID: "com.example.other", requiresTLS13: true)
        try stage.connect(1, firstLines: "hello")
        #expect(stage.failure(1) == .refusedByPeer)
        #expect(stage.owner.received == [])
        #expect(refusals(stage).map(\.?.bundleID) == ["com.example.other"])
        stage.pass(seconds: 2)
        #expect(stage.table.count == 0)
    }

    @Test func `names the certificate of each of two strangers that come at once`() throws {
        let stage = try LinkStage()
        try stage.knock(1, bundleID: "com.example.one")
        try stage.knock(2, bundleID: "com.example.two")
        stage.talk(1, 2)
        #expect(refusals(stage).map(\.?.bundleID) == ["com.example.one", "com.example.two"])
    }

    @Test func `names no certificate when there is none`() throws {
        let stage = try LinkStage(hasCertificate: false)
        try stage.connect(1)
        #expect(refusals(stage) == [nil])
    }
}
