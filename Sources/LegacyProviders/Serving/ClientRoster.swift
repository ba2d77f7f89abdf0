internal import Synchronization
public import TLS

/// Which client certificate is which app's.
///
/// A certificate is an app's when the app lists its fingerprint, or when one of the app's own
/// authorities vouches for it and it names the app's bundle identifier, as Apple's do.
public final class ClientRoster: Sendable {
    /// How one app knows its providers.
    public struct Entry: Equatable, Sendable {
        /// The bundle identifier that a certificate must name.
        public var bundleID: String
        /// The SHA-256 fingerprints of its certificates.
        public var fingerprints: Set<[UInt8]>
        /// Those of the authorities that may vouch for others.
        public var authorities: Set<[UInt8]>

        /// Describes an app's providers.
        public init(
            bundleID: String, fingerprints: Set<[UInt8]> = [], authorities: Set<[UInt8]> = []
        ) {
            self.bundleID = bundleID
            self.fingerprints = fingerprints
            self.authorities = authorities
        }
    }

    private let entries: [Entry]
    private let refused = Mutex<CertificateDescription?>(nil)

    /// Takes the apps in their order.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// The number of the app that a certificate belongs to; nil when it is none's.
    public func app(of certificate: CertificateDescription, vouchers: [[UInt8]]) -> Int? {
        if let known = entries.firstIndex(where: {
            $0.fingerprints.contains(certificate.fingerprint)
        }) {
            return known
        }
        let names = certificate.apnsTopics + (certificate.bundleID.map { [$0] } ?? [])
        return entries.firstIndex { entry in
            names.contains(entry.bundleID) && vouchers.contains { entry.authorities.contains($0) }
        }
    }

    /// Decides in the handshake, and remembers whom it has refused.
    public func judge(rootsPEM: [UInt8]) -> ClientJudge {
        ClientJudge(rootsPEM: rootsPEM) { [self] certificate, vouchers in
            let isKnown = app(of: certificate, vouchers: vouchers) != nil
            refused.withLock { $0 = isKnown ? nil : certificate }
            return isKnown
        }
    }

    /// The certificate that was refused last, once.
    public func takeRefused() -> CertificateDescription? {
        refused.withLock { certificate in
            defer { certificate = nil }
            return certificate
        }
    }
}
