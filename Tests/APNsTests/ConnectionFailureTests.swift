import TLS
import Testing

@testable import APNs

@Suite struct `The cause of a failed connection` {
    private func cause(ofAlert number: UInt8?) -> ConnectionFailure.Cause {
        ConnectionFailure(TLSError(.refusedByPeer, "rejected by the peer", alert: number)).cause
    }

    @Test func `is the client certificate only for alerts that are about certificates`() {
        let numbers = (0...255).map { UInt8($0) }
        #expect(
            numbers.filter { cause(ofAlert: $0) == .credential }
                == [41, 42, 43, 44, 45, 46, 48, 49, 116])
        #expect(cause(ofAlert: nil) == .alert)
    }

    @Test func `is perhaps the client certificate if the peer gives no reason`() {
        let numbers = (0...255).map { UInt8($0) }
        #expect(numbers.filter { cause(ofAlert: $0) == .handshake } == [40])
    }
}
