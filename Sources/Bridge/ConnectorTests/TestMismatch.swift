/// One thing that a test did not get as it was expected.
public struct TestMismatch: Equatable, Sendable {
    /// The line in the test file where it is expected, from 1.
    public var line: Int
    /// Which part it is, for example `requests[0].payload.aps.alert.body`, or what is wrong.
    public var headline: String
    /// What was expected, as JSON or as a word; nil where the headline says it.
    public var expected: String?
    /// What was got, as JSON or as a word; nil where the headline says it.
    public var got: String?
    /// Why it is so, line by line, as far as it is known.
    public var remarks: [String]

    init(
        _ line: Int, _ headline: String, expected: String? = nil, got: String? = nil,
        remarks: [String] = []
    ) {
        self.line = line
        self.headline = headline
        self.expected = expected
        self.got = got
        self.remarks = remarks
    }

    /// The lines below the place: what was expected, what was got, and why.
    public var details: [String] {
        var lines: [String] = []
        if let expected { lines.append("- " + expected) }
        if let got { lines.append("+ " + got) }
        return lines + remarks
    }
}
