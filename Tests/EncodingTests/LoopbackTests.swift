import Encoding
import Testing

@Suite struct `A host` {
    @Test(arguments: ["localhost", "::1", "127.0.0.1", "127.1.2.3"])
    func `is this machine if it is a loopback address`(host: String) {
        #expect(Loopback.contains(host))
    }

    @Test(arguments: [
        "127.0.0.1.nip.io", "127.example.com", "127.0.0", "127.0.0.256", "127.0.0.+1", "10.0.0.1",
        "localhost.example.com", "",
    ])
    func `is not this machine if it only looks like it`(host: String) {
        #expect(!Loopback.contains(host))
    }
}
