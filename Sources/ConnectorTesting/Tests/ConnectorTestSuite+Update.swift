public import Configuration
internal import FoundationEssentials

extension ConnectorTestSuite {
    /// Rewrites the test file so that failed tests expect their actual results, and returns the new
    /// suite.
    ///
    /// Nothing is written when a file is invalid, when every test passed, or when a test would not
    /// pass afterwards. The file is replaced atomically.
    public func update(filter: String? = nil) throws(Diagnostic) -> ConnectorTestSuite {
        guard !isBroken, failedCount > 0, let file else { return self }
        let bytes = file.updated(with: results)
        let loaded = ConnectorTestFile.load(bytes: bytes, path: testFile)
        let connector = ConnectorFile.load(
            path: connector, environment: file.environment, mode: .inspect
        ).connector
        guard let new = loaded.file, let connector else {
            throw failure(loaded.diagnostics.first?.description ?? "the connector has changed")
        }
        let now = new.run(on: connector, filter: filter)
        if let failed = now.first(where: { !$0.mismatches.isEmpty }) {
            throw failure("'\(failed.test.name)' would fail with its actual results")
        }
        guard now.map(\.test.name) == results.map(\.test.name) else {
            throw failure("the tests would not be the same")
        }
        do {
            // If the path is a symbolic link, its target is replaced.
            let location = URL(filePath: testFile).resolvingSymlinksInPath()
            let old = try FileManager.default.attributesOfItem(atPath: location.path)
            try Data(bytes).write(to: location, options: .atomic)
            if let rights = old[.posixPermissions] {
                try FileManager.default.setAttributes(
                    [.posixPermissions: rights], ofItemAtPath: location.path)
            }
        } catch {
            throw Diagnostic(
                file: testFile, line: 0, column: 0, severity: .error,
                message: "cannot be written", remedy: "check the permissions of the file's folder")
        }
        return ConnectorTestSuite(
            connector: self.connector, testFile: testFile, results: now,
            diagnostics: diagnostics, file: new, updated: names(ofFailed: results))
    }

    private func names(ofFailed results: [ConnectorTestResult]) -> [String] {
        results.filter { !$0.mismatches.isEmpty }.map(\.test.name)
    }

    private func failure(_ message: String) -> Diagnostic {
        Diagnostic(
            file: testFile, line: 0, column: 0, severity: .error,
            message: "nothing was written because the new expectations would fail: \(message)",
            remedy: "write the expectation by hand")
    }
}
