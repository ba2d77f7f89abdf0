internal import APNs
internal import Configuration
internal import Encoding
internal import EventLoop
internal import TLS
internal import YAML

/// Watches the files that contain the credentials and trusted roots of one connector.
struct CredentialFiles {
    /// The result of checking the files.
    enum Look {
        /// No change.
        case unchanged
        /// The files have changed and are valid: the connector as they now describe it.
        case changed(Connector)
        /// The files have changed and cannot be read.
        case unreadable(Diagnostic)
    }

    let connector: Connector
    /// The connector file and the files it names, with symbolic links resolved.
    private var paths: [String]
    /// The version that was adopted or refused.
    private var judged: [FileStamp?]
    /// What the last check saw: a change counts once two checks in a row see the same.
    private var seen: [FileStamp?]
    /// The credential and roots of each route that are in use.
    private(set) var identities: [String]
    /// Those that were found last, before connections were opened with them.
    private var foundIdentities: [String]
    /// What the files asked for beyond credentials when that was last reported.
    private var reported: Connector?

    /// Watches the files of a connector that was checked with these credentials and roots.
    init(_ connector: Connector, checkedWith identities: [String]) {
        self.connector = connector
        paths = Self.paths(of: connector)
        judged = paths.map { FileSystem.stamp(of: $0) }
        seen = judged
        self.identities = identities
        foundIdentities = identities
    }

    /// Checks the files, and reads them again when they have changed.
    mutating func look(_ environment: [String: String]) -> Look {
        let now = paths.map { FileSystem.stamp(of: $0) }
        defer { seen = now }
        guard now != judged, now == seen else { return .unchanged }
        judged = now
        let (found, diagnostics) = ConnectorFile.load(
            path: connector.file, environment: environment, settings: connector.processFile)
        if let found {
            watch(Self.paths(of: found), known: now)
            return .changed(found)
        }
        let mistake = diagnostics.first { $0.severity == .error } ?? diagnostics.first
        return mistake.map { .unreadable($0) } ?? .unchanged
    }

    /// Watches the files that the connector names now.
    private mutating func watch(_ found: [String], known: [FileStamp?]) {
        guard found != paths else { return }
        let stamps = Dictionary(zip(paths, known), uniquingKeysWith: { first, _ in first })
        paths = found
        judged = found.map { stamps[$0] ?? FileSystem.stamp(of: $0) }
    }

    private static func paths(of connector: Connector) -> [String] {
        canBeReadAgain(connector) ? [connector.file] + connector.files : []
    }

    /// False for a connector with files that are gone once they have been read, such as pipes.
    static func canBeReadAgain(_ connector: Connector) -> Bool {
        FileSystem.isRegularFile(connector.file)
            && connector.files.allSatisfy {
                !FileSystem.exists($0) || FileSystem.isRegularFile($0)
            }
    }

    /// Makes the next check read the files again, even without a change.
    mutating func lookAgain() { judged = [] }

    /// The routes of a connector whose credential or trusted roots have changed; nil when its
    /// apps are others, so that none of their credentials can be adopted.
    mutating func renewals(in found: Connector) -> [Int]? {
        guard found.apns.routes == connector.apns.routes,
            found.apns.apps.map(Self.address) == connector.apns.apps.map(Self.address)
        else { return nil }
        foundIdentities = Self.identities(of: found)
        return identities.indices.filter { identities[$0] != foundIdentities[$0] }
    }

    /// True if the files ask for more than other credentials, which takes a reload, and that was
    /// not reported yet.
    mutating func hasOtherChanges(in found: Connector) -> Bool {
        guard !connector.runsLike(found) else {
            reported = nil
            return false
        }
        defer { reported = found }
        return reported.map { !$0.runsLike(found) } ?? true
    }

    /// Adopts what was found last about a route. If its roots were replaced since, the next check
    /// finds that they have changed.
    mutating func takeOver(_ route: Int) { identities[route] = foundIdentities[route] }

    static func address(_ app: AppSettings) -> [String] {
        let proxy = app.endpoint.proxy?.address ?? ""
        return [app.name, app.bundleID, app.environment.rawValue, app.endpoint.address, proxy]
    }

    /// The credential and roots of each route. Reads the files of roots, which are read again when
    /// connections are opened: take them before, so that no replacement goes unnoticed.
    static func identities(of connector: Connector) -> [String] {
        connector.apns.routes.map { apps in
            let app = connector.apns.apps[apps[0]]
            return "\(app.credential.fingerprint) \(roots(of: app.endpoint))"
        }
    }

    private static func roots(of endpoint: EndpointSettings) -> String {
        let bytes: [UInt8] =
            switch endpoint.trustRoots {
            case .system: []
            case .file(let path): (try? InputFile.read(path: path)) ?? []
            case .pem(let bytes): bytes
            }
        return String(decoding: Base64.url.encode(SHA256.hash(bytes)), as: UTF8.self)
    }
}
