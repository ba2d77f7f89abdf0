import Bridge

/// What `apns-bridge doctor` says during an incident: the cell of the article, and how a test makes
/// it say so.
enum DoctorView: Sendable {
    /// One check finds it, and no other finds anything. Where a test cannot bring about the same
    /// state, something else stands in for it.
    case finds(
        DoctorFinding.Result, check: String, detail: String, note: String = "",
        standIn: String = "", during: @Sendable (ExaminedBridge) throws -> Void = { _ in })
    /// No check fails during it, for this reason.
    case nothing(String, during: @Sendable (ExaminedBridge) throws -> Void)
    /// No test runs doctor during it, for this reason.
    case unplayed(String, because: String)

    /// The cell of the table.
    var cell: String {
        switch self {
        case .finds(let result, let check, let detail, let note, let standIn, _):
            "`\(check)` \(Self.verb(result)): `\(detail)`" + (note.isEmpty ? "" : ", \(note)")
                + (standIn.isEmpty ? "" : " (tested with \(standIn))")
        case .nothing(let reason, _): "nothing: \(reason)"
        case .unplayed(let message, let reason): "\(message) (not tested here: \(reason))"
        }
    }

    private static func verb(_ result: DoctorFinding.Result) -> String {
        switch result {
        case .passed: "passes"
        case .warning: "warns"
        case .failed: "fails"
        case .notChecked: "is not checked"
        }
    }
}
