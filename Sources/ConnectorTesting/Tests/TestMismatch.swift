/// One difference between the actual and the expected results of a test.
public struct TestMismatch: Equatable, Sendable {
    /// The line of the expectation in the test file, from 1.
    public var line: Int
    /// The part that differs, for example `requests[0].payload.aps.alert.body`, or what is wrong.
    public var headline: String
    /// The expected value, as JSON or as a word; nil if the headline says it.
    public var expected: String?
    /// The actual value, as JSON or as a word; nil if the headline says it.
    public var got: String?
    /// Explanations, one string per line, if known.
    public var remarks: [String]
    /// The field of the connector file that it comes from; nil if there is no single one.
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

    /// The lines below the headline: expected value, actual value, and explanations.
    public var details: [String] {
        var lines: [String] = []
        if let expected { lines.append("- " + expected) }
        if let got { lines.append("+ " + got) }
        return lines + remarks
    }
}

/// A field of a notification, as written in the connector file.
struct TestField: Equatable, Sendable {
    /// A step into a map or a list.
    enum Step: Equatable, Sendable {
        case member(String)
        case element(Int)
    }

    /// The index of the request.
    var request: Int
    /// The path within the notification's block.
    var steps: [Step]

    /// The field one step deeper.
    func inside(_ step: Step) -> TestField { TestField(request: request, steps: steps + [step]) }
}
