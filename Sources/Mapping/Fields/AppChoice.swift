internal import Delivery

/// Chooses the app of a notification: by name, or by bundle identifier and environment.
struct AppChoice: Sendable {
    /// An app, in the bytes that events are compared with.
    struct App: Sendable {
        var name: [UInt8]
        var bundleID: [UInt8]
        var environment: [UInt8]
    }

    /// The apps in the order of the file; empty when there is only one.
    var apps: [App] = []

    func index(named name: [UInt8]) -> Int? { apps.firstIndex { $0.name == name } }

    /// The only app with this bundle identifier and this environment; an empty one matches any.
    func index(bundleID: [UInt8], environment: [UInt8]) -> Found {
        var found = Found.none
        for index in apps.indices
        where (bundleID.isEmpty || apps[index].bundleID == bundleID)
            && (environment.isEmpty || apps[index].environment == environment)
        {
            guard case .none = found else { return .several }
            found = .one(index)
        }
        return found
    }

    enum Found {
        case none
        case one(Int)
        case several
    }
}

/// The bundle identifiers that an event may name besides the connector's own.
struct AllowedBundleIDs: Sendable {
    private var names: [[UInt8]] = []
    private var prefixes: [[UInt8]] = []

    /// Each is a bundle identifier; one that ends in `.*` allows all that begin so, and `*` all.
    init(_ patterns: [String] = []) {
        for pattern in patterns {
            if pattern.last == "*" {
                prefixes.append(Array(pattern.dropLast().utf8))
            } else {
                names.append(Array(pattern.utf8))
            }
        }
    }

    /// True if one of them is, or may be, for passes or orders in Wallet.
    var mayBeOfWallet: Bool {
        names.contains { BundleIdentifier.isOfWallet($0) }
            || prefixes.contains { prefix in
                BundleIdentifier.isOfWallet(prefix)
                    || BundleIdentifier.walletPrefixes.contains { $0.starts(with: prefix) }
            }
    }

    func contains(_ bundleID: [UInt8]) -> Bool {
        names.contains(bundleID)
            || prefixes.contains { bundleID.count > $0.count && bundleID.starts(with: $0) }
    }
}
