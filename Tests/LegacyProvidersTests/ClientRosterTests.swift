import LegacyProviders
import TLS
import Testing

@Suite struct `A list of client certificates` {
    private let first: CertificateAuthority
    private let second: CertificateAuthority

    init() throws {
        first = try CertificateAuthority.generate(name: "First")
        second = try CertificateAuthority.generate(name: "Second")
    }

    private static func describe(_ pem: [UInt8]) throws -> CertificateDescription {
        try #require(try CertificateDescription.all(inPEM: pem).first)
    }

    private func client(
        _ bundleID: String, of authority: CertificateAuthority
    ) throws -> (certificate: CertificateDescription, vouchers: [[UInt8]]) {
        let issued = try authority.issueClient(bundleID: bundleID)
        let certificate = try Self.describe(issued.certificatePEM)
        let root = try Self.describe(authority.certificatePEM)
        return (certificate, [certificate.fingerprint, root.fingerprint])
    }

    private func entry(
        _ bundleID: String, _ authority: CertificateAuthority, fingerprints: Set<[UInt8]> = []
    ) throws -> ClientRoster.Entry {
        let root = try Self.describe(authority.certificatePEM)
        return ClientRoster.Entry(
            bundleID: bundleID, fingerprints: fingerprints, authorities: [root.fingerprint])
    }

    @Test func `refuses a certificate that another app's authority issued for this app`() throws {
        let roster = ClientRoster([
            try entry("com.example.one", first), try entry("com.example.two", second),
        ])
        let own = try client("com.example.one", of: first)
        #expect(roster.app(of: own.certificate, vouchers: own.vouchers) == 0)
        let foreign = try client("com.example.one", of: second)
        #expect(roster.app(of: foreign.certificate, vouchers: foreign.vouchers) == nil)
        let other = try client("com.example.two", of: second)
        #expect(roster.app(of: other.certificate, vouchers: other.vouchers) == 1)
    }

    @Test func `goes by the certificate, not by the order of apps in the file`() throws {
        let issued = try first.issueClient(
            bundleID: "com.example.one", apnsTopics: ["com.example.two", "com.example.one"])
        let certificate = try Self.describe(issued.certificatePEM)
        let root = try Self.describe(first.certificatePEM)
        let vouchers = [certificate.fingerprint, root.fingerprint]
        let names = ["com.example.one", "com.example.two", "com.example.three"]
        for order in [names, names.reversed()] {
            let roster = ClientRoster(try order.map { try entry($0, first) })
            let found = try #require(roster.app(of: certificate, vouchers: vouchers))
            #expect(order[found] == "com.example.one")
        }
        let listed = ClientRoster([
            try entry("com.example.three", first), try entry("com.example.two", first),
        ])
        #expect(listed.app(of: certificate, vouchers: vouchers) == 1)
    }

    @Test func `prefers a fingerprint to an authority`() throws {
        let known = try client("com.example.one", of: first)
        let roster = ClientRoster([
            try entry("com.example.one", first),
            try entry("com.example.two", second, fingerprints: [known.certificate.fingerprint]),
        ])
        #expect(roster.app(of: known.certificate, vouchers: known.vouchers) == 1)
        #expect(roster.app(of: known.certificate, vouchers: []) == 1)
        let next = try client("com.example.one", of: first)
        #expect(roster.app(of: next.certificate, vouchers: next.vouchers) == 0)
    }
}
