import EventLoop
import Foundation
import Testing

/// A Python that has DuckDB: that of `make python-clients`, or the machine's own.
private enum DuckDB {
    static let python: String? = {
        let own = Repository.root.appending(path: ".build/python-clients/bin/python3").path
        return [own, "/usr/bin/python3"].first { python in
            (try? run(python, ["-c", "import duckdb"]).status) == 0
        }
    }()

    static func run(_ program: String, _ arguments: [String]) throws -> (
        status: Int32, output: String
    ) {
        let ending = try ChildProcess.run(program, arguments)
        return (ending.exitCode, String(decoding: ending.output, as: UTF8.self))
    }

    /// Writes the files of an article, runs its queries, and compares the tables that follow them.
    static let script = """
        import os, re, sys, tempfile
        import duckdb
        text = open(sys.argv[1]).read()
        count = 0
        expected = None
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            connection = duckdb.connect()
            for kind, body in re.findall(r"^```(.*)\\n((?:(?!```).*\\n)*)```$", text, re.M):
                if kind.startswith("jsonl "):
                    open(kind.split()[1], "w").write(body)
                elif kind == "sql":
                    result = connection.sql(body)
                    rows = [] if result is None else [result.columns, *result.fetchall()]
                    expected = "".join(" | ".join(map(str, row)) + "\\n" for row in rows)
                    count += 1
                elif kind == "text" and body != expected:
                    sys.exit(f"the article says:\\n{body}DuckDB says:\\n{expected}")
        print(count)
        """
}

@Suite(
    .enabled(
        if: DuckDB.python != nil,
        "no Python with DuckDB is installed: make python-clients installs it"))
struct `The article about outcomes` {
    @Test func `shows queries with the results that DuckDB finds`() throws {
        let python = try #require(DuckDB.python)
        let article = Repository.root.appending(
            path: "Sources/Bridge/Documentation.docc/Outcomes.md")
        let result = try DuckDB.run(python, ["-c", DuckDB.script, article.path])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output == "7\n")
    }
}
