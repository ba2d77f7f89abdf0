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
