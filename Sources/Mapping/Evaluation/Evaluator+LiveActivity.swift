internal import JSON

extension Evaluator {
    /// Writes what a step of a `live_activity` adds to the payload.
    mutating func append(
        activity step: PayloadStep, to out: inout ByteBuffer, in bytes: RawSpan
    ) throws(MappingFault) {
        switch step {
        case .activityEvent(let template):
            activityKey = .event
            let start = out.count + 1
            _ = try appendJSON(template, as: .activityEvent, to: &out, in: bytes)
            activityEvent = ActivityEvents(name: out.copy(from: start).dropLast())
        case .timestamp(let template):
            activityKey = .timestamp
            activityTime = try time(template, of: .timestamp, in: bytes) ?? eventTime
            out.appendDecimal(activityTime / 1000)
        case .moment(let key, let name, let template):
            activityKey = key
            let written =
                key == .staleAfter
                ? try timeAfterActivity(template, in: bytes)
                : try time(template, of: key, in: bytes)
            if let time = written {
                out.append(plan.constants, from: Int(name.start), to: Int(name.end))
                out.appendDecimal(min(time / 1000, WrittenTime.farthestSecond))
            }
        case .raw, .comma, .value, .text, .spread, .optional, .onlyFor: return
        }
        activityKey = nil
    }

    /// A time in milliseconds since 1970; nil when it is omitted.
    private mutating func time(
        _ template: Int32, of key: ActivityKey, in bytes: RawSpan
    ) throws(MappingFault) -> Int64? {
        switch try time(template, key.timeUse, in: bytes) {
        case .at(let time): time
        case .never: .max
        default: nil
        }
    }

    /// The end of a duration that begins at the activity's timestamp; nil when it is omitted.
    private mutating func timeAfterActivity(
        _ template: Int32, in bytes: RawSpan
    ) throws(MappingFault) -> Int64? {
        guard try takeText(template, in: bytes) else { return nil }
        guard let span = TimeText.span(token) else {
            refusedTime = WrittenTime.specifics(ofSpan: token)
            throw MappingFault(cause: .invalid(.staleAfter), hole: hole(of: template))
        }
        let (end, isOver) = activityTime.addingReportingOverflow(span)
        return isOver ? .max : end
    }
}
