import Foundation
import Testing

/// A Prometheus that scrapes a bridge several times a second and follows the alerts in `deploy`,
/// which fire as soon as their condition holds.
final class PrometheusProcess {
    static let path = "/usr/bin/prometheus"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// The repository.
    static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private static let asking = """
        import sys, urllib.parse, urllib.request
        question = dict(part.split("=", 1) for part in sys.argv[2:])
        print(urllib.request.urlopen(sys.argv[1] + "?" + urllib.parse.urlencode(question))
            .read().decode())
        """

    private let process = Process()
    private let log: URL
    private var address = ""

    /// Starts one that scrapes this port, and waits until it listens.
    init(scraping port: String, in folder: URL) throws {
        let rules = folder.appending(path: "alerts.yaml")
        let source = Self.root.appending(path: "deploy/prometheus/alerts.yaml")
        try String(contentsOf: source, encoding: .utf8)
            .replacing(/\n +for: \w+/, with: "")
            .write(to: rules, atomically: true, encoding: .utf8)
        let settings = folder.appending(path: "prometheus.yaml")
        try """
            global: {scrape_interval: 200ms, scrape_timeout: 200ms, evaluation_interval: 200ms}
            rule_files: [\(rules.path)]
            scrape_configs:
              - {job_name: apns-bridge, static_configs: [{targets: ['127.0.0.1:\(port)']}]}
            """.write(to: settings, atomically: true, encoding: .utf8)
        log = folder.appending(path: "prometheus.log")
        try Data().write(to: log)
        process.executableURL = URL(filePath: Self.path)
        process.arguments = [
            "--config.file=\(settings.path)", "--web.listen-address=127.0.0.1:0",
            "--storage.tsdb.path=\(folder.appending(path: "tsdb").path)",
            "--enable-feature=exemplar-storage",
        ]
        process.standardError = try FileHandle(forWritingTo: log)
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let end = Date(timeIntervalSinceNow: 60)
        while address.isEmpty {
            try #require(process.isRunning && Date() < end, "\(logged)")
            waitBeforeNextLook()
            address =
                logged.firstMatch(of: /address=(127\.0\.0\.1:[1-9]\d*)/)
                .map { "http://\($0.output.1)" } ?? ""
        }
    }

    deinit {
        _ = Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var logged: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

    /// The `data` of a response of its API.
    func ask(_ path: String, _ question: String...) throws -> Any? {
        let text = try ProviderProcess(
            Self.asking, ["\(address)/api/v1/\(path)"] + question, python: nil).finish()
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        #expect(object?["status"] as? String == "success", "\(path) \(question): \(text)")
        return object?["data"]
    }

    /// How many series a query finds.
    func count(_ query: String) throws -> Int {
        let data = try ask("query", "query=\(query)") as? [String: Any]
        return (data?["result"] as? [Any])?.count ?? 0
    }

    /// The alerts that fire; nil until each has been evaluated.
    func alerts() throws -> Set<String>? {
        let data = try ask("rules") as? [String: Any]
        let rules = (data?["groups"] as? [[String: Any]] ?? []).flatMap {
            $0["rules"] as? [[String: Any]] ?? []
        }
        guard !rules.isEmpty, rules.allSatisfy({ $0["health"] as? String == "ok" }) else {
            return nil
        }
        return Set(rules.filter { $0["state"] as? String == "firing" }
            .compactMap { $0["name"] as? String })
    }
}
