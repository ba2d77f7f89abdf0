internal import YAML

extension ConnectorTestFile {
    /// The bytes of the file with new expectations for the tests that failed; everything else stays
    /// the same, byte for byte.
    ///
    /// Only the lines of `expect` are replaced, or added where it is missing. Only what was listed
    /// is listed again.
    func updated(with results: [ConnectorTestResult]) -> [UInt8] {
        let offsets = SourceOffsets(bytes)
        var edits = results.compactMap { result -> Edit? in
            guard !result.mismatches.isEmpty, let output = result.output else { return nil }
            return edit(result.test.node, output, offsets)
        }
        edits.sort { $0.range.lowerBound > $1.range.lowerBound }
        var text = bytes
        for edit in edits { text.replaceSubrange(edit.range, with: edit.bytes) }
        return text
    }

    /// A part of the file, and its replacement.
    private struct Edit {
        var range: Range<Int>
        var bytes: [UInt8]
    }

    private func edit(_ test: YAMLNode, _ output: TestOutput, _ offsets: SourceOffsets) -> Edit {
        let old = test.entries?.first { $0.key.text == "expect" }
        let shape = old.map { TestValue($0.value, findings: nil) }
        let expectation = output.expectation(like: shape)
        if offsets.isFlow(test) {
            return inBraces(expectation, test, old?.value, offsets)
        }
        let lineBreak = String(decoding: offsets.lineBreak, as: UTF8.self)
        if let (key, value) = old {
            let lines = ExpectationText.lines(expectation, indent: key.location.column - 1)
            let last = max(key.location.line, offsets.lastLine(of: value))
            return Edit(
                range: offsets.offset(of: key.location)..<offsets.end(ofLine: last),
                bytes: Array(lines.joined(separator: lineBreak).utf8))
        }
        let indent = (test.entries?.first?.key.location.column ?? 1) - 1
        let lines = ExpectationText.lines(expectation, indent: indent)
        let end = offsets.end(ofLine: offsets.lastLine(of: test))
        let start = lineBreak + String(repeating: " ", count: indent)
        return Edit(
            range: end..<end, bytes: Array((start + lines.joined(separator: lineBreak)).utf8))
    }

    /// A test written in braces keeps its lines.
    private func inBraces(
        _ expectation: TestValue, _ test: YAMLNode, _ old: YAMLNode?, _ offsets: SourceOffsets
    ) -> Edit {
        let text = ExpectationText.flow(expectation)
        if let old {
            let start = offsets.offset(of: old.location)
            let end = max(start, offsets.offset(of: old.endLocation))
            let space = start > 0 && bytes[start - 1] == UInt8(ascii: ":") ? " " : ""
            return Edit(range: start..<end, bytes: Array((space + text).utf8))
        }
        let brace = offsets.offset(of: test.endLocation) - 1
        return Edit(range: brace..<brace, bytes: Array((", expect: " + text).utf8))
    }
}
