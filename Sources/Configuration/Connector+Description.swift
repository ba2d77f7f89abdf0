extension Connector: CustomStringConvertible, CustomDebugStringConvertible {
    /// Name and file alone, because the rest holds secrets.
    public var description: String { "connector \(name) (\(file))" }

    /// Name and file alone, because the rest holds secrets.
    public var debugDescription: String { description }
}
