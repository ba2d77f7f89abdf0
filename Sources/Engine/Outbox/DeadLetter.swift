internal import Configuration
internal import Delivery
internal import Encoding
internal import Mapping
internal import TLS

/// A record that could not be delivered: the original, with headers that say why.
package enum DeadLetter {
    /// The reason of a dead letter whose push may have arrived.
    package static let inDoubt = "in_doubt"

    /// What a dead letter leaves out because it may contain device tokens.
    enum Privacy {
        /// Nothing.
        case none
        /// Value, key, and headers in which the token was found; all headers, except those of a
        /// trace, where it is not known what to look for.
        case withoutTokens(of: TokenTraces?)

        var hidesRecord: Bool { if case .none = self { false } else { true } }

        func allows(_ header: ResultRecord.Header) -> Bool {
            switch self {
            case .none: true
            case .withoutTokens(let traces?):
                !header.name.hasSuffix("tracestate") && !traces.areIn(header.value ?? [])
            case .withoutTokens(nil):
                ResultWriter.traceHeaders.contains {
                    $0.description == header.name && !ResultWriter.isState($0)
                }
            }
        }
    }

    static func record(
        _ push: Push, _ details: PushDetails, _ report: Push.Report, _ origin: borrowing Record,
        _ settings: EngineSettings, _ privacy: Privacy, _ labels: [UInt8]?, carrier: Int32? = nil
    ) -> ResultRecord {
        var headers = details.omission == .everything ? [] : origin.copyHeaders()
        // What an earlier dead letter said of this event is replaced by what follows.
        headers.removeAll {
            $0.name.hasPrefix(BridgeHeader.prefix.description) || !privacy.allows($0)
        }
        headers.append(contentsOf: reasons(push, details, report, settings))
        if let labels, details.omission != .everything { headers.append(header(of: labels)) }
        headers.append(contentsOf: originHeaders(of: origin))
        headers.append(contentsOf: replayed(origin))
        headers.append(contentsOf: schema(of: origin, settings))
        var key: [UInt8]?
        if details.omission != .everything, !privacy.hidesRecord { key = origin.copyKey() }
        var value: [UInt8]?
        if let carrier, !privacy.hidesRecord {
            headers.append(valueElsewhere(carrier))
        } else if details.omission == .nothing, !privacy.hidesRecord {
            value = origin.copyValue()
        } else {
            headers.append(contentsOf: omitted(origin))
        }
        if let seal = settings.results.seal {
            headers.append(seal.seal(.deadLetter, key: key, value: value, headers: headers))
        }
        return ResultRecord(
            topic: settings.results.deadLetter, key: key, value: value, headers: headers)
    }

    private static func reasons(
        _ push: Push, _ details: PushDetails, _ report: Push.Report, _ settings: EngineSettings
    ) -> [ResultRecord.Header] {
        let reason = report.verdict == .unknown ? inDoubt : details.reason ?? "no_reason"
        return [
            header("reason", reason),
            header("detail", detail(push, details, report)),
            header("connector", settings.connector),
            header("attempts", String(push.attempts)),
            header("apns-id", push.id.description),
            header("index", String(push.index)),
        ]
    }

    /// The detail of the outcome, or the decisive response.
    private static func detail(
        _ push: Push, _ details: PushDetails, _ report: Push.Report
    ) -> String {
        let detail = details.detail(of: report, specifics: true)
        if report.verdict == .unknown { return details.reason ?? "no response" }
        if report.verdict == .dropped, let detail { return detail }
        let status = report.status == 0 ? details.lastStatus : Int(report.status)
        let message = status.map { "APNs responded \($0) \(details.reason ?? "without a reason")" }
        let all = [message, detail].compactMap { $0 }
        return all.isEmpty ? "no response" : all.joined(separator: "; ")
    }

    private static func header(of labels: [UInt8]) -> ResultRecord.Header {
        header("labels", labels)
    }

    private static func originHeaders(of origin: borrowing Record) -> [ResultRecord.Header] {
        var headers = [
            header("topic", origin.topicPartition.topic),
            header("partition", String(origin.topicPartition.partition)),
            header("offset", String(origin.offset)),
        ]
        if let timestamp = origin.timestamp {
            headers.append(header("timestamp", String(timestamp)))
        }
        return headers
    }

    /// How often the event was replayed; none if never.
    private static func replayed(_ origin: borrowing Record) -> [ResultRecord.Header] {
        let text = origin.copyHeader(BridgeHeader.replays)
        guard let text, let count = Int(String(decoding: text, as: UTF8.self)), count > 0 else {
            return []
        }
        return [header("replays", String(count))]
    }

    /// What the value was written with, and the key, if it has a schema of its own.
    private static func schema(
        of origin: borrowing Record, _ settings: EngineSettings
    ) -> [ResultRecord.Header] {
        guard let idBytes = settings.schemaIDBytes else { return [] }
        var headers: [ResultRecord.Header] = []
        if let id = RecordDecoder.schemaID(of: origin, idBytes: idBytes) {
            headers.append(header("schema-id", id.description))
        }
        if settings.keysHaveSchemas,
            let id = RecordDecoder.keySchemaID(of: origin, idBytes: idBytes)
        {
            headers.append(header("key-schema-id", id.description))
        }
        return headers
    }

    /// Another dead letter of the same record has its value.
    private static func valueElsewhere(_ index: Int32) -> ResultRecord.Header {
        header("value-elsewhere", String(index))
    }

    private static func omitted(_ origin: borrowing Record) -> [ResultRecord.Header] {
        let value = origin.copyValue() ?? []
        let hash = String(decoding: Hexadecimal.encode(SHA256.hash(value)), as: UTF8.self)
        return [
            header("value-omitted", String(value.count)), header("value-sha256", hash),
        ]
    }

    private static func header(_ name: String, _ text: String) -> ResultRecord.Header {
        header(name, [UInt8](text.utf8))
    }

    private static func header(_ name: String, _ value: [UInt8]) -> ResultRecord.Header {
        (BridgeHeader.prefix.description + name, value)
    }
}
