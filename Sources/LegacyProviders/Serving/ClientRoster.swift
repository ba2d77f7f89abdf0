internal import Synchronization
public import TLS

/// Maps client certificates to apps.
///
/// A certificate belongs to an app if the app lists its fingerprint, or if one of the app's
/// authorities has signed it and it contains the app's bundle identifier, as Apple's do. If it
/// contains several, the user ID of its subject comes first, then Apple's extension in the order
/// of the certificate; the order of apps in a file decides nothing.
public final class ClientRoster: Sendable {
    /// How the providers of one app are recognized.
    public struct Entry: Equatable, Sendable {
        /// The bundle identifier that a certificate must contain.
        public var bundleID: String
        /// The SHA-256 fingerprints of its certificates.
        public var fingerprints: Set<[UInt8]>
        /// The fingerprints of authorities that may sign other certificates.
        public var authorities: Set<[UInt8]>

        /// Creates an entry.
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

    /// Creates a roster of apps, in order.
    public init(_ entries: [Entry]) { self.entries = entries }

    /// The index of the app that a certificate belongs to; nil if there is none.
    public func app(of certificate: CertificateDescription, vouchers: [[UInt8]]) -> Int? {
        if let known = entries.firstIndex(where: {
            $0.fingerprints.contains(certificate.fingerprint)
        }) {
            return known
        }
        for name in (certificate.bundleID.map { [$0] } ?? []) + certificate.apnsTopics {
            let found = entries.firstIndex { entry in
                entry.bundleID == name && vouchers.contains { entry.authorities.contains($0) }
            }
            if let found { return found }
        }
        return nil
    }

    /// Decides during the handshake, and records rejected certificates.
    public func judge(rootsPEM: [UInt8]) -> ClientJudge {
        ClientJudge(rootsPEM: rootsPEM) { [self] certificate, vouchers in
            let isKnown = app(of: certificate, vouchers: vouchers) != nil
            refused.withLock { $0 = isKnown ? nil : certificate }
            return isKnown
        }
    }

    /// The certificate rejected last; returned once.
    public func takeRefused() -> CertificateDescription? {
        refused.withLock { certificate in
            defer { certificate = nil }
            return certificate
        }
    }
}
