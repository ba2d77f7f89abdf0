/// Checks what results say about devices that APNs has reported as unregistered.
struct UnregisteredDeviceCheck {
    /// The devices of which an outcome says that APNs responded with a 410.
    private var gone: Set<String> = []
    /// Those of which the last outcome of a record says so, with that record. Another owner of the
    /// record may have had another response before the first one could say more, or may have ended
    /// the record because it crashed the worker.
    private var owed: [String: Oracle.Position] = [:]
    /// The devices to which a push was not sent for that reason.
    private var takenForGone: Set<String> = []
    /// The devices with an unregistered record.
    private(set) var reported: Set<String> = []

    /// The device of an outcome whose push got a 410; nil for other outcomes.
    private static func token(ofGone outcome: String) -> String? {
        guard outcome.components(after: #""verdict":""#)?.quoted != "accepted",
            isGone(outcome)
        else { return nil }
        return token(in: outcome)
    }

    /// True for a 410; one with a reason that nobody knows only makes its token suspect.
    static func isGone(_ outcome: String) -> Bool {
        outcome.components(after: #""status":410"#) != nil
            && outcome.components(after: #""suspect":true"#) == nil
    }

    private static func token(in result: String) -> String? {
        (result.components(after: #""device_token":""#)?.quoted).map { String($0) }
    }

    mutating func note(outcome: String) {
        if let token = Self.token(ofGone: outcome) {
            gone.insert(token)
            owed[token] = Oracle.position(in: outcome)
        } else if let token = Self.token(in: outcome),
            owed[token] == Oracle.position(in: outcome)
        {
            owed[token] = nil
        } else if CrashCheck.isEnd(outcome) {
            let ended = Oracle.position(in: outcome)
            owed = owed.filter { $0.value != ended }
        }
        guard outcome.components(after: #""verdict":""#)?.quoted == "dropped",
            outcome.components(after: #""reason":""#)?.quoted == "remembered_unregistered",
            let token = Self.token(in: outcome)
        else { return }
        takenForGone.insert(token)
    }

    mutating func note(record: String) {
        if let token = Self.token(in: record) { reported.insert(token) }
    }

    /// In the end, each device that got a 410 has a record, and no other was taken for one.
    ///
    /// A push that owes the record of its device is lost with its log, if that is replaced, or with
    /// its record, if Kafka removes that, and its worker ends.
    func mistakes(
        afterReplacedLogs: Bool, isRemoved: (Oracle.Position) -> Bool
    ) -> [String] {
        let taken = takenForGone.subtracting(gone).map { "\($0) was taken for unregistered" }
        guard !afterReplacedLogs else { return taken }
        let owed = owed.filter { !reported.contains($0.key) && !isRemoved($0.value) }
        return taken + owed.keys.map { "\($0) got a 410, and no record says so" }
    }
}
