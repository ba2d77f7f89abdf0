import EventLoop
import Foundation
import Testing

/// A Python that has DuckDB or ClickHouse: that of `make python-clients`, or the machine's own.
private enum Databases {
    static let duckDB = python(with: "duckdb")
    static let clickHouse = python(with: "chdb")

    private static func python(with module: String) -> String? {
        let own = Repository.root.appending(path: ".build/python-clients/bin/python3").path
        return [own, "/usr/bin/python3"].first { python in
            (try? run(python, ["-c", "import \(module)"]).status) == 0
        }
    }

    static func run(_ program: String, _ arguments: [String]) throws -> (
        status: Int32, output: String
    ) {
        let ending = try ChildProcess.run(program, arguments)
        return (ending.exitCode, String(decoding: ending.output, as: UTF8.self))
    }

    /// Writes the files of an article, runs its queries, and compares the tables that follow them.
    static let script = """
        import os, re, sys, tempfile
        database = sys.argv[2]
        text = open(sys.argv[1]).read()
        count = 0
        expected = None

        def duck():
            import duckdb
            connection = duckdb.connect()
            def rows(body):
                result = connection.sql(body)
                return [] if result is None else [result.columns, *result.fetchall()]
            return rows

        def click():
            import chdb, json
            def rows(body):
                lines = str(chdb.query(body, "JSONCompactEachRowWithNames")).splitlines()
                return [["NULL" if v is None else v for v in json.loads(line)] for line in lines]
            return rows

        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            run = duck() if database == "sql" else click()
            for kind, body in re.findall(r"^```(.*)\\n((?:(?!```).*\\n)*)```$", text, re.M):
                if kind.startswith("jsonl "):
                    open(kind.split()[1], "w").write(body)
                elif kind == database:
                    rows = run(body)
                    expected = "".join(" | ".join(map(str, row)) + "\\n" for row in rows)
                    count += 1
                elif kind in ("sql", "clickhouse"):
                    expected = None
                elif kind == "text" and expected is not None and body != expected:
                    sys.exit(f"the article says:\\n{body}the database says:\\n{expected}")
        print(count)
        """
}

@Suite struct `The article about outcomes` {
    private func count(_ python: String?, _ database: String) throws -> String {
        let article = Repository.root.appending(
            path: "Sources/Bridge/Documentation.docc/Outcomes.md")
        let result = try Databases.run(
            try #require(python), ["-c", Databases.script, article.path, database])
        #expect(result.status == 0, "\(result.output)")
        return result.output
    }

    @Test(
        .enabled(
            if: Databases.duckDB != nil,
            "no Python with DuckDB is installed: make python-clients installs it"))
    func `shows queries with the results that DuckDB finds`() throws {
        #expect(try count(Databases.duckDB, "sql") == "10\n")
    }

    @Test(
        .enabled(
            if: Databases.clickHouse != nil,
            "no Python with ClickHouse is installed: make python-clients installs it"))
    func `shows a query with the result that ClickHouse finds`() throws {
        #expect(try count(Databases.clickHouse, "clickhouse") == "1\n")
    }
}

@Suite struct `The tables of outcomes for Flink and ksqlDB` {
    /// A column, or a field of a row: its name as it is written, and its type.
    private typealias Column = (name: Substring, type: Substring)

    /// What stands between the first bracket and the one that closes it, split at its commas.
    private static func columns(
        of text: Substring, in brackets: (open: Character, close: Character)
    ) -> [Column] {
        guard let start = text.firstIndex(of: brackets.open) else { return [] }
        var columns: [Column] = []
        var depth = 0
        var begin = text.index(after: start)
        for index in text[begin...].indices {
            let isEnd = depth == 0 && text[index] == brackets.close
            if isEnd || depth == 0 && text[index] == "," {
                let column = text[begin..<index].drop { $0.isWhitespace }
                let space = column.firstIndex(of: " ") ?? column.endIndex
                columns.append((column[..<space], column[space...].drop { $0 == " " }))
                begin = text.index(after: index)
            }
            if isEnd { break }
            if "<(".contains(text[index]) { depth += 1 }
            if ">)".contains(text[index]) { depth -= 1 }
        }
        return columns
    }

    /// What is wrong with columns according to an object of the schema.
    private static func mistakes(_ columns: [Column], _ schema: [String: Any]) -> [String] {
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        return columns.flatMap { column -> [String] in
            let name = String(column.name.filter { $0 != "`" })
            guard let field = properties[name] else { return ["\(name) is unknown"] }
            if column.type.hasPrefix("ROW<") || column.type.hasPrefix("STRUCT<") {
                let fields = self.columns(of: column.type, in: ("<", ">"))
                guard !fields.isEmpty, field["properties"] != nil else { return [name] }
                return mistakes(fields, field).map { "\(name): \($0)" }
            }
            return types(of: field).contains(String(column.type))
                ? [] : ["\(name) cannot be \(column.type)"]
        }
    }

    /// The types that a field may have in SQL.
    private static func types(of field: [String: Any]) -> [String] {
        let text = ["STRING", "VARCHAR"]
        if field["const"] is String || field["enum"] is [String] { return text }
        let type = field["type"] as? String ?? (field["type"] as? [String])?.first
        switch type {
        case "string":
            return field["format"] as? String == "date-time" ? text + ["TIMESTAMP_LTZ(3)"] : text
        case "integer": return ["INT", "BIGINT"]
        case "object": return ["MAP<STRING, STRING>", "MAP<VARCHAR, VARCHAR>"]
        case "boolean": return ["BOOLEAN"]
        default: return []
        }
    }

    private static func schema() throws -> [String: Any] {
        let bytes = try Data(
            contentsOf: Repository.root.appending(path: "Sources/Engine/Schemas/outcome.v1.json"))
        return try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
    }

    @Test(arguments: ["flink", "ksqldb"])
    func `have the names and types of the schema`(dialect: String) throws {
        let article = try Repository.text("Sources/Bridge/Documentation.docc/Outcomes.md")
        let parts = article.components(separatedBy: "```text \(dialect)\n")
        #expect(parts.count == 2)
        let table = try #require(parts.last?.components(separatedBy: "\n) WITH").first)
        let columns = Self.columns(of: Substring(table + ")"), in: ("(", ")"))
        #expect(columns.count >= 7, "\(columns)")
        #expect(Self.mistakes(columns, try Self.schema()) == [])
        // Their parsers take these for words of their own.
        let reserved = ["type", "index", "source", "partition", "offset", "timestamp"]
        for word in reserved {
            #expect(!table.contains(try Regex("[(<, ]\(word) ")), "\(word) is not in backticks")
        }
    }

    @Test func `are found to differ if a name or a type is wrong`() throws {
        let text = "(apns_idd STRING, `index` STRING, `source` ROW<topic INT, ofset BIGINT>)"
        #expect(
            Self.mistakes(Self.columns(of: Substring(text), in: ("(", ")")), try Self.schema()) == [
                "apns_idd is unknown", "index cannot be STRING",
                "source: topic cannot be INT", "source: ofset is unknown",
            ])
    }
}
