extension Connector: CustomStringConvertible, CustomDebugStringConvertible {
    /// Name and file only, because the rest contains secrets.
    public var description: String { "connector \(name) (\(file))" }

    /// Name and file only, because the rest contains secrets.
    public var debugDescription: String { description }
}
