import YAML
import Testing

@testable import Configuration

@Suite struct `The digest of a connector file` {
    private func digest(_ text: String) throws -> String {
        let document = YAMLDocument.read(bytes: Array(text.utf8), file: "orders.yaml")
        return SettingsDigest(try #require(document.root)).text
    }

    @Test func `ignores comments and layout`() throws {
        let plain = try digest("source: {topics: [a, b], group: g}")
        let long = try digest("# Orders.\nsource:\n  topics:\n  - a\n  - b  # two\n  group: g\n")
        #expect(plain == long)
    }

    @Test func `ignores credentials, of one app or of several`() throws {
        let old = try digest("apns: {key: a, key_id: A, apps: {shop: {certificate: c.pem}}}")
        let new = try digest("apns: {key: b, key_id: B, apps: {shop: {certificate: d.pem}}}")
        #expect(old == new)
    }

    @Test(arguments: [
        "source: {topics: [a], group: g}", "source: {topics: [a, b], group: h}",
        "source: {topics: [[a, b]], group: g}", "source: {topics: [ab], group: g}",
        "source: {topics: [a, 'b'], group: g}", "source: {topics: [a, b], group: g, key: k}",
    ])
    func `differs if anything else does`(text: String) throws {
        #expect(try digest(text) != digest("source: {topics: [a, b], group: g}"))
    }

    @Test func `includes keys of payloads that are named like credentials`() throws {
        let old = try digest("notification: {payload: {apns: {key: a}}}")
        #expect(try digest("notification: {payload: {apns: {key: b}}}") != old)
    }
}
