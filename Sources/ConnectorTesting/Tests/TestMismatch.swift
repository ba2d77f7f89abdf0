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
    /// The field of the connector file that it comes from; nil where there is no single one.
    var field: TestField?

    init(
        _ line: Int, _ headline: String, expected: String? = nil, got: String? = nil,
        remarks: [String] = [], field: TestField? = nil
    ) {
        self.line = line
        self.headline = headline
        self.expected = expected
        self.got = got
        self.remarks = remarks
        self.field = field
    }

    /// The lines below the place: what was expected, what was got, and why.
    public var details: [String] {
        var lines: [String] = []
        if let expected { lines.append("- " + expected) }
        if let got { lines.append("+ " + got) }
        return lines + remarks
    }
}

/// A field of a notification, as a connector file writes it.
struct TestField: Equatable, Sendable {
    /// A step into a map or a list.
    enum Step: Equatable, Sendable {
        case member(String)
        case element(Int)
    }

    /// The number of the request, from 0.
    var request: Int
    /// From the notification's block on.
    var steps: [Step]

    /// The field one step further.
    func inside(_ step: Step) -> TestField { TestField(request: request, steps: steps + [step]) }
}
