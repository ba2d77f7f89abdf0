import Foundation
import Testing

/// Files for systemd, Kubernetes and Prometheus, and the promises of the product that they rely on.
@Suite struct `The files to deploy` {
    private static let kubernetes = "deploy/kubernetes/base"
    private static let overlay = "deploy/kubernetes/overlays/example"
    private static let prometheus = "deploy/prometheus"

    private func metrics(in path: String) throws -> Set<String> {
        let text = try Repository.text(path)
        return Set(text.matches(of: /\bapns_bridge_\w+/).map { String($0.0) })
    }

    @Test(arguments: ["\(prometheus)/alerts.yaml", "\(overlay)/scaled-object.yaml"])
    func `use metrics that exist`(path: String) throws {
        let known = try metrics(in: "Sources/Bridge/Documentation.docc/Operations.md")
        let used = try metrics(in: path)
        #expect(!used.isEmpty)
        let series = used.map { $0.hasSuffix("_bucket") ? String($0.dropLast(7)) : $0 }
        #expect(Set(series).subtracting(known).isEmpty, "\(path)")
    }

    @Test func `contain no program that looks for libraries in a folder of its own`() throws {
        for path in ["Dockerfile", "Makefile"] {
            let text = try Repository.text(path)
            let builds = text.ranges(of: "--static-swift-stdlib --product apns-bridge")
            #expect(!builds.isEmpty, "\(path)")
            for build in builds {
                let rest = text[build.upperBound...].prefix(200)
                #expect(rest.contains("chrpath --delete "), "\(path)")
            }
        }
    }

    @Test func `say what to do for each alert, and test each`() throws {
        let rules = try Repository.text("\(Self.prometheus)/alerts.yaml")
        let names = rules.matches(of: /- alert: (\w+)/).map { String($0.1) }
        #expect(rules.matches(of: #/\n {10}action: /#).count == names.count)
        let tests = try Repository.text("\(Self.prometheus)/alerts.test.yaml")
        for name in names {
            #expect(tests.contains("- name: \(name) fires for its fault"), "\(name)")
            #expect(tests.contains("{eval_time: 2h, alertname: \(name)}"), "\(name)")
        }
    }

    /// The first number that a pattern finds in a file.
    private func number(in path: String, _ pattern: Regex<(Substring, Substring)>) throws -> Int {
        let found = try #require(Repository.text(path).firstMatch(of: pattern), "\(path)")
        return try #require(Int(found.output.1))
    }

    /// Where a bridge may have to wait after `shutdown_deadline`, in seconds.
    private func waitsAtTheEnd() throws -> [Int] {
        let consumer = "Sources/Kafka/Consumer.swift"
        let timeout = try number(
            in: "Sources/Kafka/HelperThread.swift", /timeout: Int32 = (\d+)000\n/)
        return [
            try number(
                in: "Sources/Bridge/Worker/Worker+Drain.swift",
                /max\(deadline, engine\.now \+ \.seconds\((\d+)\)\)/),
            try number(in: consumer, /waitForGroup\(by: clock, milliseconds: (\d+)000\)/),
            try number(in: consumer, /GroupPhase\.isNeeded \? (\d+)000 : 2000/),
            // The threads of the consumer and of the producer.
            timeout, timeout,
            // The clients of the consumer, of the producer, and of records that are sent alone.
            timeout, timeout, timeout,
            try number(
                in: "Sources/Bridge/Traces/SpanExporter.swift",
                /timeout = Duration\.seconds\((\d+)\)/),
        ]
    }

    @Test func `give a bridge more time to stop than it takes while a broker hangs`() throws {
        let keys = "Sources/Bridge/Documentation.docc/ConnectorKeys.md"
        let deadline = try number(in: keys, /\| `shutdown_deadline` \| [^|]+ \| `(\d+)s` \|/)
        let rest = try waitsAtTheEnd().reduce(0, +)
        let article = "Sources/Bridge/Documentation.docc/Running.md"
        #expect(try number(in: article, /, (\d+) seconds at most: the last commit/) == rest)
        let margin = try number(in: article, /`shutdown_deadline` and (\d+) seconds more before/)
        #expect(margin > rest)
        let limits = [
            ("deploy/systemd/apns-bridge.service", /\nTimeoutStopSec=(\d+)\n/),
            ("\(Self.kubernetes)/stateful-set.yaml", /terminationGracePeriodSeconds: (\d+)\n/),
            ("docker-compose.yml", /stop_grace_period: (\d+)s\n/),
            (article, /`TimeoutStopSec=(\d+)`/),
            (article, /`terminationGracePeriodSeconds: (\d+)`/),
        ]
        for (path, pattern) in limits {
            #expect(try number(in: path, pattern) == deadline + margin, "\(path)")
        }
    }

    @Test func `let the service read keys where they can be replaced, or where there are none`()
        throws
    {
        let unit = try Repository.text("deploy/systemd/apns-bridge.service")
        let settings = unit.split(separator: "\n").filter { !$0.hasPrefix("#") }
        // systemd would copy them when the service starts, and not start it without them.
        #expect(!settings.contains { $0.hasPrefix("LoadCredential") })
        #expect(!settings.contains { $0.hasPrefix("User=") }, "it has the name of the unit")
        for path in ["deploy/systemd/apns-bridge.service", "deploy/packaging/deb.py"] {
            #expect(try Repository.text(path).contains(/0750.* \/etc\/apns-bridge/), "\(path)")
        }
    }

    /// Otherwise a clock that jumps would end the process, or stay in doubt.
    @Test func `let the service ask whether the clock is synchronized`() throws {
        let unit = try Repository.text("deploy/systemd/apns-bridge.service")
        let lines = unit.split(separator: "\n")
        let denied = try #require(lines.firstIndex { $0.hasPrefix("SystemCallFilter=~") })
        let allowed = try #require(
            lines.firstIndex { $0 == "SystemCallFilter=adjtimex clock_adjtime" })
        #expect(denied < allowed)
        #expect(!lines.contains("ProtectClock=yes"))
        #expect(lines.contains("SystemCallErrorNumber=EPERM"))
        #expect(lines.contains("CapabilityBoundingSet="))
    }

    @Test func `start a service again only for what may pass by itself`() throws {
        let unit = try Repository.text("deploy/systemd/apns-bridge.service")
        let line = try #require(unit.firstMatch(of: /\nRestartPreventExitStatus=([\d ]+)\n/))
        let lasting = line.output.1.split(separator: " ").map(String.init)
        let article = try Repository.text("Sources/Bridge/Documentation.docc/Running.md")
        for code in lasting { #expect(article.contains("\n| \(code) | "), "\(code)") }
        let run = try Repository.text("Sources/apns-bridge/RunVerb.swift")
        let codes = try #require(run.firstMatch(of: /Exit codes: ([^"]+)\n {12}"""/)).output.1
        let ends = codes.matches(of: /\b\d+\b/).map { String($0.output) } + ["64"]
        #expect(Set(ends).subtracting(lasting) == ["0", "69"])
    }

    @Test func `let partitions of a named member wait no longer than a restart takes`() throws {
        let connector = try Repository.text("\(Self.overlay)/orders.yaml")
        #expect(connector.contains("\n  group.instance.id: ${env:POD_NAME}"))
        // librdkafka's 45 s are too long for a pod that KEDA has removed.
        let timeout = try number(
            in: "\(Self.overlay)/orders.yaml", /\n {2}session\.timeout\.ms: (\d+)\n/)
        #expect((6000...30_000).contains(timeout))
    }

    @Test func `list every file of the base`() throws {
        let list = try Repository.text("\(Self.kubernetes)/kustomization.yaml")
        let folder = Repository.root.appending(path: Self.kubernetes)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        for name in names where name != "kustomization.yaml" { #expect(list.contains(name)) }
    }

    private func run(_ program: String, _ arguments: [String], in folder: String) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = Repository.root.appending(path: folder)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let text = String(decoding: output, as: UTF8.self)
        #expect(process.terminationStatus == 0, "\(text)")
        return text
    }

    private static let promtool = "/usr/bin/promtool"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: promtool), "no promtool"))
    func `fire each alert for its fault, and none when all is well`() throws {
        _ = try run(Self.promtool, ["test", "rules", "alerts.test.yaml"], in: Self.prometheus)
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: promtool), "no promtool"))
    func `scale by what waits in this namespace, without connectors that are paused`() throws {
        let text = try Repository.text("\(Self.overlay)/scaled-object.yaml")
        let query = try #require(text.firstMatch(of: /query: >-\n((?: {10}.+\n)+)/)).output.1
        func series(_ metric: String, _ namespace: String, _ labels: String, _ value: Int)
            -> [String: String]
        {
            let location = #"job="apns-bridge",namespace="\#(namespace)",instance="a""#
            return ["series": "\(metric){\(location),\(labels)}", "values": "\(value)x5"]
        }
        let lag = "apns_bridge_lag_unread"
        let paused = "apns_bridge_connector_paused"
        let test: [String: Any] = [
            "interval": "1m",
            "input_series": [
                series(lag, "apns-bridge", #"connector="orders",worker="0""#, 5),
                series(lag, "apns-bridge", #"connector="orders",worker="1""#, 6),
                series(lag, "apns-bridge", #"connector="old",worker="0""#, 100),
                series(lag, "elsewhere", #"connector="orders",worker="0""#, 1000),
                series(paused, "apns-bridge", #"connector="orders""#, 0),
                series(paused, "apns-bridge", #"connector="old""#, 1),
            ],
            "promql_expr_test": [
                ["expr": String(query), "eval_time": "5m", "exp_samples": [["value": 11]]]
                    as [String: Any]
            ],
        ]
        let file = FileManager.default.temporaryDirectory
            .appending(path: "\(UUID().uuidString).yaml")
        try JSONSerialization.data(
            withJSONObject: ["rule_files": [String](), "tests": [test]],
            options: .withoutEscapingSlashes
        ).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        _ = try run(Self.promtool, ["test", "rules", file.path], in: Self.prometheus)
    }

    @Test func `name the job that the documentation gives to Prometheus`() throws {
        let article = try Repository.text("Sources/Bridge/Documentation.docc/Operations.md")
        #expect(article.contains("  - job_name: apns-bridge\n"))
        for path in ["\(Self.prometheus)/alerts.yaml", "\(Self.overlay)/scaled-object.yaml"] {
            let jobs = try Repository.text(path).matches(of: /job="([^"]*)"/).map { $0.output.1 }
            #expect(Set(jobs) == ["apns-bridge"], "\(path)")
        }
        let overlay = try Repository.text("\(Self.overlay)/kustomization.yaml")
        #expect(overlay.contains("\nnamespace: apns-bridge\n"))
    }

    private static let kubectl = "/usr/bin/kubectl"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: kubectl), "no kubectl"))
    func `are complete for a cluster`() throws {
        let text = try run(Self.kubectl, ["kustomize", "."], in: Self.overlay)
        for kind in [
            "ServiceAccount", "StatefulSet", "Service", "PodDisruptionBudget", "NetworkPolicy",
            "ConfigMap", "ScaledObject",
        ] {
            #expect(text.contains("\nkind: \(kind)\n"), "\(kind)")
        }
        // KEDA's own number would be reset by each apply.
        #expect(!text.contains("\n  replicas: "))
        #expect(text.contains(/image: registry\.example\.com\/apns-bridge:\d+\.\d+\.\d+\n/))
    }

    private static let systemd = "/usr/bin/systemd-analyze"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: systemd), "no systemd"))
    func `confine the service`() throws {
        _ = try run(
            Self.systemd,
            ["security", "--offline=true", "--threshold=20", "./apns-bridge.service"],
            in: "deploy/systemd")
    }
}
