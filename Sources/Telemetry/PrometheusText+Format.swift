extension PrometheusText.Format {
    /// The content type of a page.
    public var contentType: String {
        switch self {
        case .plain: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }

    /// Chooses the format that a request's `Accept` field prefers; OpenMetrics only if it names it.
    /// Source: RFC 9110, section 12.5.1.
    public init(accept: String?) {
        let ranges = (accept ?? "").split(separator: ",").map { MediaRange($0) }
        func quality(_ types: [String], version: String) -> Double {
            ranges.filter { types.contains($0.type) && $0.version ?? version == version }
                .map(\.quality).max() ?? 0
        }
        let open = quality(["application/openmetrics-text"], version: "1.0.0")
        let plain = quality(["text/plain", "text/*", "*/*"], version: "0.0.4")
        self = open > 0 && open >= plain ? .openMetrics : .plain
    }
}

/// One of the types that an `Accept` field lists.
private struct MediaRange {
    let type: String
    private(set) var version: String?
    /// From 0 to 1.
    private(set) var quality = 1.0

    init(_ text: Substring) {
        let parts = text.filter { $0 != " " && $0 != "\t" }.lowercased().split(separator: ";")
        type = parts.first.map { String($0) } ?? ""
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            if pair[0] == "version" { version = pair[1].filter { $0 != "\"" } }
            if pair[0] == "q" { quality = Double(pair[1]) ?? 0 }
        }
    }
}
