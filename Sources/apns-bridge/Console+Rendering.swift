internal import Configuration
internal import ConnectorTesting

extension Console {
    /// Writes what an event becomes, without what the references of its connector resolve to.
    static func output(
        _ rendered: RenderedRecord, of connector: Connector, as format: OutputFormat, now: Int64
    ) {
        switch format {
        case .text: output(connector.resolved.hide(in: rendered.text(now: now)))
        case .json: output(connector.resolved.hide(in: rendered.json()) + [UInt8(ascii: "\n")])
        }
    }
}
