internal import JSON

extension ConnectorTestReport {
    /// The report as one JSON object, without a newline.
    public func json() -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.array("connectors", suites) { Self.write($0, to: &$1) }
        writer.endObject()
        return writer.bytes
    }

    private static func write(_ suite: ConnectorTestSuite, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("connector")
        writer.string(suite.connector)
        writer.name("test_file")
        writer.string(suite.testFile)
        writer.name("broken")
        writer.boolean(suite.isBroken)
        writer.name("tests")
        writer.beginArray()
        for result in suite.results {
            writer.beginObject()
            writer.name("name")
            writer.string(result.test.name)
            writer.name("line")
            writer.integer(result.test.line)
            writer.name("ending")
            switch result.ending {
            case .passed: writer.string("passed")
            case .skipped: writer.string("skipped")
            case .failed: writer.string("failed")
            }
            if case .skipped(let reason) = result.ending {
                writer.name("reason")
                writer.string(reason)
            }
            writer.array("mismatches", result.mismatches) { write($0, to: &$1) }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    private static func write(_ mismatch: TestMismatch, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("line")
        writer.integer(mismatch.line)
        writer.name("what")
        writer.string(mismatch.headline)
        for (name, text) in [("expected", mismatch.expected), ("got", mismatch.got)] {
            writer.name(name)
            writer.string(text)
        }
        writer.array("remarks", mismatch.remarks) { $1.string($0) }
        writer.endObject()
    }
}
