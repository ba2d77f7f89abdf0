internal import Mapping
internal import YAML

extension ConnectorBuilder {
    /// The schema to check paths with; nil without one, or, with an error, if the records are not
    /// in its format.
    func fittingSchema() -> RecordSchema? {
        guard let schema else { return nil }
        let setting = settings["source.format"]
        let format = setting?.text ?? SourceSettings.Format.json.rawValue
        // A misspelled one is a problem of its own.
        guard let known = SourceSettings.Format(rawValue: format) else { return nil }
        if known.encoding == schema.encoding { return schema }
        let message = "a schema in \(schema.encoding.name) does not fit 'format: \(format)'"
        let remedy =
            "check only connectors with format: \(schema.encoding.rawValue) with this schema"
        guard let node = setting?.node ?? settings["source.topics"]?.key else {
            findings.error(message, remedy)
            return nil
        }
        findings.error(node, message, remedy)
        return nil
    }
}
