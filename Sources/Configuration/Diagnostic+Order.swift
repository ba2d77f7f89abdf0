extension [Diagnostic] {
    /// Diagnostics of one file in the order of its lines; those of one location keep their order.
    public var inFileOrder: [Diagnostic] {
        enumerated()
            .sorted {
                ($0.element.line, $0.element.column, $0.offset)
                    < ($1.element.line, $1.element.column, $1.offset)
            }
            .map(\.element)
    }
}
