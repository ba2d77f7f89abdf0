import Configuration
import Testing

@Suite struct `The key max_streams` {
    @Test func `limits the requests on a connection`() throws {
        let connector = try Example.load([
            "  bundle_id": "  bundle_id: a.b\n  max_streams: 500"
        ]).connector
        #expect(connector?.apns.maxStreams == 500)
    }

    @Test func `defaults to what APNs allows`() throws {
        let connector = try #require(try Example.load().connector)
        #expect(connector.apns.maxStreams == nil)
    }

    @Test(arguments: ["0", "10001", "many"])
    func `is rejected outside its range`(_ value: String) throws {
        #expect(
            try Example.findings(["  bundle_id": "  bundle_id: a.b\n  max_streams: \(value)"])
                == [
                    "12:16: error: 'max_streams' must be a whole number, 1 to 10000, "
                        + "not '\(value)' | write max_streams: 500"
                ])
    }
}
