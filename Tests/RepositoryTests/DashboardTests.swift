import Foundation
import Testing

/// The dashboard for Grafana, and the metrics that it is made from.
@Suite struct `The dashboard` {
    private static let path = "deploy/grafana/apns-bridge.json"

    private struct Dashboard: Decodable {
        struct Source: Decodable { let type, uid: String }
        struct Target: Decodable {
            let expr, refId: String
            let datasource: Source
        }
        struct Position: Decodable { let x, y, w, h: Int }
        struct Panel: Decodable {
            let id: Int
            let type: String
            let gridPos: Position
            let title: String
            let description: String?
            let targets: [Target]?
        }
        struct Variable: Decodable {
            let name, type: String
            let definition: String?
        }
        struct Templating: Decodable { let list: [Variable] }
        let title, uid: String
        let schemaVersion: Int
        let panels: [Panel]
        let templating: Templating
    }

    private func dashboard() throws -> Dashboard {
        try JSONDecoder().decode(Dashboard.self, from: Data(Repository.text(Self.path).utf8))
    }

    private func queries(_ dashboard: Dashboard) -> [String] {
        dashboard.panels.flatMap { ($0.targets ?? []).map(\.expr) }
    }

    /// The metrics in a text; a histogram's series count as the histogram.
    private func metrics(in text: String) -> Set<String> {
        Set(
            text.matches(of: /\b(?:apns_bridge|process)_\w+/).map { match in
                String(match.output.replacing(/_(bucket|sum|count)$/, with: ""))
            })
    }

    @Test func `asks for metrics that exist, in each panel and variable`() throws {
        let known = metrics(
            in: try Repository.text("Sources/Bridge/Documentation.docc/Operations.md"))
        let dashboard = try dashboard()
        let variables = dashboard.templating.list.compactMap(\.definition)
        #expect(variables.count == 3)
        for query in queries(dashboard) + variables {
            let used = metrics(in: query)
            #expect(!used.isEmpty, "\(query)")
            #expect(used.subtracting(known).isEmpty, "\(query)")
        }
    }

    @Test func `shows how many apps are suspended, and how many guards are engaged`() throws {
        let panels = try dashboard().panels.filter { $0.type == "stat" }
        let used = metrics(in: panels.flatMap { ($0.targets ?? []).map(\.expr) }.joined())
        #expect(used.contains("apns_bridge_sending_suspended"))
        #expect(used.contains("apns_bridge_guard_engaged"))
    }

    @Test func `needs no plug-in, and says what each panel shows`() throws {
        let dashboard = try dashboard()
        for panel in dashboard.panels where panel.type != "row" {
            #expect(["stat", "timeseries"].contains(panel.type), "\(panel.title)")
            #expect(panel.description?.hasSuffix(".") == true, "\(panel.title)")
            #expect(panel.targets?.isEmpty == false, "\(panel.title)")
        }
        let ids = dashboard.panels.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test func `has the fields that Grafana reads, and panels that do not overlap`() throws {
        let dashboard = try dashboard()
        #expect(!dashboard.title.isEmpty && (1...40).contains(dashboard.uid.count))
        // That of Grafana 10.
        #expect(dashboard.schemaVersion <= 39)
        let sources = dashboard.templating.list.filter { $0.type == "datasource" }.map(\.name)
        #expect(sources == ["datasource"])
        var taken: Set<[Int]> = []
        for panel in dashboard.panels {
            let location = panel.gridPos
            #expect(
                location.w > 0 && location.h > 0 && location.x >= 0 && location.x + location.w <= 24
            )
            for x in location.x..<location.x + location.w {
                for y in location.y..<location.y + location.h {
                    #expect(taken.insert([x, y]).inserted, "\(panel.title) overlaps")
                }
            }
            let targets = panel.targets ?? []
            #expect(Set(targets.map(\.refId)).count == targets.count, "\(panel.title)")
            for source in targets.map(\.datasource) {
                #expect(source.type == "prometheus" && source.uid == "${datasource}")
            }
        }
    }

    @Test func `uses only variables that it has`() throws {
        let dashboard = try dashboard()
        let known = Set(dashboard.templating.list.map(\.name))
        for query in queries(dashboard) {
            for match in query.matches(of: /\$(\w+)/) where match.output.1 != "__rate_interval" {
                #expect(known.contains(String(match.output.1)), "\(query)")
            }
        }
    }

    @Test func `counts a connector as down that runs on other instances`() throws {
        let panel = try #require(try dashboard().panels.first { $0.title == "Connectors down" })
        #expect(
            panel.targets?.map(\.expr) == [
                #"sum(1 - min by (connector) (apns_bridge_connector_up{connector=~"$connector"}))"#
            ])
    }

    private static let promtool = "/usr/bin/promtool"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: promtool), "no promtool"))
    func `has queries that Prometheus can parse`() throws {
        let rules = queries(try dashboard()).enumerated().map { number, query in
            let text = query.replacing("$__rate_interval", with: "5m")
                .replacing(/\$\w+/, with: ".*")
            return ["record": "dashboard:query\(number)", "expr": text]
        }
        let groups = ["groups": [["name": "dashboard", "rules": rules] as [String: Any]]]
        // JSON is YAML, too.
        let file = FileManager.default.temporaryDirectory.appending(
            path: "\(UUID().uuidString).yaml")
        let json = try JSONSerialization.data(
            withJSONObject: groups, options: .withoutEscapingSlashes)
        try json.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(filePath: Self.promtool)
        process.arguments = ["check", "rules", file.path]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(String(decoding: text, as: UTF8.self))")
    }
}
