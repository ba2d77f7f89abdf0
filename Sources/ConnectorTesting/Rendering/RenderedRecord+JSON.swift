internal import APNs
internal import Delivery
internal import JSON
internal import Mapping

extension RenderedRecord {
    /// The record as one JSON object, without a newline.
    ///
    /// `headers` is an object in the order of the text output; a payload that is not JSON is a
    /// string.
    public func json() -> [UInt8] { json { _ in nil } }

    /// The same, with what became of each notification that was sent.
    func json(_ response: (Int) -> SentResponse?) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.name("filtered")
        writer.boolean(isSkipped)
        if isSkipped {
            writer.name("detail")
            writer.string(explanation.joined(separator: "\n"))
        }
        writer.array("notifications", notifications.enumerated()) {
            $0.element.write(response($0.offset), to: &$1)
        }
        writer.array("cuts", cuts) { $0.write(to: &$1) }
        if !unmatchedElements.isEmpty {
            writer.array("unmatched_elements", unmatchedElements) { $1.string($0) }
        }
        writer.endObject()
        return writer.bytes
    }
}

extension RenderedNotification {
    fileprivate func write(_ response: SentResponse?, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("index")
        writer.integer(notification.index)
        if let target {
            writer.name("app")
            writer.string(target.app)
            writer.name("environment")
            writer.string(target.environment)
            writer.name("host")
            writer.string(target.host)
        }
        writer.name("verdict")
        switch verdict {
        case .drop(let drop):
            writer.string("dropped")
            writer.name("reason")
            writer.string(drop.reason.rawValue)
            writer.name("detail")
            writer.string(([drop.detail] + explanation).joined(separator: "\n"))
        case .send(let request):
            writer.string(response?.verdict.rawValue ?? "send")
            writer.name("request")
            write(request, to: &writer)
            response?.write(to: &writer)
            if let fault = notification.labelFault {
                writer.name(response == nil ? "detail" : "label_detail")
                writer.string(fault)
            }
        }
        if !notification.labels.isEmpty {
            writer.name("labels")
            writer.raw(notification.labels)
        }
        writer.endObject()
    }

    private func write(_ request: APNsRequest, to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("method")
        writer.string(request.method)
        writer.name("path")
        writer.string(request.path)
        writer.name("headers")
        writer.beginObject()
        for header in headersForPeople(of: request) {
            writer.name(header.name)
            writer.string(header.value)
        }
        writer.endObject()
        writer.name("payload")
        if JSONLayout.text(of: request.payload) == nil {
            writer.string(utf8: request.payload)
        } else {
            writer.raw(request.payload)
        }
        writer.name("bytes")
        writer.integer(request.payload.count)
        writer.name("limit")
        writer.integer(notification.payloadLimit)
        writer.endObject()
    }
}

extension Cut {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("text")
        writer.string(written)
        writer.name("unit")
        writer.string(unit.rawValue)
        writer.name("before")
        writer.integer(before)
        writer.name("after")
        writer.integer(after)
        writer.endObject()
    }
}
