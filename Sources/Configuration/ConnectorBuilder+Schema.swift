internal import Mapping
internal import YAML

extension ConnectorBuilder {
    /// The schema to check paths with; nil without one, or, with an error, if the records are not
    /// in its format.
    func fittingSchema() -> RecordSchema? {
        guard let schema = schemas.value else { return nil }
        let setting = settings["source.format"]
        let format = setting?.text ?? SourceSettings.Format.json.rawValue
        // A misspelled one is a problem of its own.
        guard let known = SourceSettings.Format(rawValue: format) else { return nil }
        if known.encoding == schema.encoding { return schema }
        report(
            "a schema in \(schema.encoding.name) does not fit 'format: \(format)'",
            "check only connectors with format: \(schema.encoding.rawValue) with this schema",
            at: setting)
        return nil
    }

    /// The schema to check paths into keys with; nil without one, or, with an error, if the keys
    /// are not in its format.
    func fittingKeySchema() -> RecordSchema? {
        guard let schema = schemas.key else { return nil }
        let setting = settings["source.key_format"]
        let format = setting?.text
        if format == schema.encoding.rawValue { return schema }
        // A misspelled one is a problem of its own.
        guard format == nil || format == SourceSettings.Format.json.rawValue
            || SchemaEncoding(rawValue: format ?? "") != nil
        else { return nil }
        report(
            "a schema of keys in \(schema.encoding.name) does not fit "
                + (format.map { "'key_format: \($0)'" } ?? "keys that are read as text"),
            "write key_format: \(schema.encoding.rawValue) in 'source', or check this connector"
                + " without --key-schema",
            at: setting)
        return nil
    }

    private func report(_ message: String, _ remedy: String, at setting: Setting?) {
        if let node = setting?.node ?? settings["source.topics"]?.key {
            findings.error(node, message, remedy)
        } else {
            findings.error(message, remedy)
        }
    }
}
