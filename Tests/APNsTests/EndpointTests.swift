import TLS
import Testing

@testable import APNs

@Suite struct `An endpoint` {
    @Test(arguments: [
        ("api.push.apple.com", UInt16(443), "api.push.apple.com"),
        ("api.push.apple.com", 2197, "api.push.apple.com:2197"), ("::1", 443, "[::1]"),
        ("::1", 2197, "[::1]:2197"), ("127.0.0.1", 8443, "127.0.0.1:8443"),
    ])
    func `is written as HTTP requires`(_ host: String, _ port: UInt16, _ wanted: String) throws {
        let endpoint = APNsEndpoint(host: host, port: port, trust: try .client())
        #expect(String(decoding: endpoint.authority, as: UTF8.self) == wanted)
    }
}
