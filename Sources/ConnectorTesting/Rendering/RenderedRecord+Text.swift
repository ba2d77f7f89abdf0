internal import APNs
internal import Delivery
internal import Encoding
internal import JSON
internal import Mapping
internal import Spelling

extension RenderedRecord {
    /// The number of requests that would be sent.
    public var requestCount: Int {
        notifications.count { if case .send = $0.verdict { true } else { false } }
    }

    /// True when the event itself cannot be read.
    public var isUnreadable: Bool {
        notifications.contains { $0.notification.drop?.reason == .unparsable }
    }

    /// The record for display: each request with remarks, its payload and its size, or why there is
    /// none. Remaining times are relative to `now`, in milliseconds since 1970.
    public func text(now: Int64) -> String {
        guard !isSkipped else {
            return (["skipped: 'when' did not match"] + explanation).joined(separator: "\n")
                + "\n\nWould send nothing.\n"
        }
        var blocks = notifications.map { $0.text(now: now) }
        let total = total()
        blocks += unmatchedBlocks + cutBlocks
        if blocks.count == 1, requestCount == 1 {
            blocks[0] += " " + total
        } else {
            blocks.append(total)
        }
        return blocks.joined(separator: "\n\n") + "\n"
    }

    /// The elements that match no block, as one block; none if there are none.
    var unmatchedBlocks: [String] {
        unmatchedElements.isEmpty
            ? [] : [(["skipped: elements"] + unmatchedElements).joined(separator: "\n")]
    }

    /// The texts that were cut, as one block; none if there are none.
    var cutBlocks: [String] {
        cuts.isEmpty ? [] : [cuts.map { $0.message + "." }.joined(separator: "\n")]
    }

    private func total() -> String {
        let dropped = notifications.count - requestCount
        guard requestCount > 0 else { return "Would send nothing." }
        let sent = "Would send \(Plural.counted(requestCount, "notification"))"
        return dropped == 0 ? sent + "." : sent + " and drop \(dropped)."
    }
}

extension RenderedNotification {
    /// The column that remarks start in, counted from 0.
    private static let remarkColumn = 36

    func text(now: Int64) -> String {
        switch verdict {
        case .drop(let drop):
            return (["dropped: \(drop.reason.rawValue)", drop.detail] + explanation + labelLines)
                .joined(separator: "\n")
        case .send(let request):
            var lines = ["\(request.method) \(request.path)"]
            for header in headersForPeople(of: request) {
                let line = "\(header.name): \(header.value)"
                guard let remark = remark(on: header.name, now: now) else {
                    lines.append(line)
                    continue
                }
                let gap = max(2, Self.remarkColumn - line.count)
                lines.append(line + String(repeating: " ", count: gap) + remark)
            }
            let payload =
                JSONLayout.text(of: request.payload)
                ?? String(decoding: request.payload, as: UTF8.self)
            let limit = notification.payloadLimit
            lines += ["", payload, ""] + labelLines
            lines.append("\(request.payload.count) of \(limit) bytes.")
            return lines.joined(separator: "\n")
        }
    }

    /// The labels, and which of them have no value; empty without labels.
    private var labelLines: [String] {
        guard !notification.labels.isEmpty else { return [] }
        let labels = "Labels: " + String(decoding: notification.labels, as: UTF8.self)
        return [labels] + (notification.labelFault.map { [$0] } ?? [])
    }

    private func remark(on header: String, now: Int64) -> String? {
        switch header {
        // A broadcast has no topic.
        case "apns-topic", "apns-channel-id": return target?.message
        case "apns-priority" where notification.isPriorityDefault:
            return "default for \(notification.pushType.rawValue)"
        case "apns-collapse-id": return "\(notification.collapseID.count) of 64 bytes"
        case "apns-expiration": return expirationRemark(now: now)
        default: return nil
        }
    }

    private func expirationRemark(now: Int64) -> String? {
        switch notification.expiration {
        case .absent: return nil
        case .immediate:
            let message = "one attempt by APNs, never stored"
            guard let end = notification.expiresAt else { return message }
            return message + "; not sent after " + Self.time(end) + span(now: now)
        case .at(let seconds): return Self.time(seconds * 1000) + span(now: now)
        }
    }

    /// The origin of the expiration, and the time until then.
    private func span(now: Int64) -> String {
        guard let end = notification.expiresAt else { return "" }
        var message = ""
        if notification.usesTimeToLive {
            // The expiration is in whole seconds, and so is the time to live.
            let seconds = (end - notification.eventTime + 999) / 1000
            message = ", ttl \(SpanText.compact(seconds: seconds)) from event_time"
        }
        return message + ", in \(SpanText.message(milliseconds: end - now))"
    }

    /// A time without its milliseconds.
    private static func time(_ milliseconds: Int64) -> String {
        String(Timestamp.text(milliseconds: milliseconds).dropLast(5)) + "Z"
    }
}
