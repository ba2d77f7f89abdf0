internal import APNs

/// A certificate in use that expires soon, or has expired.
struct ExpiringCertificate: Equatable {
    /// How long before its end it counts as expiring, in days; the alert has the same number.
    static let warningDays: Int64 = 14

    /// What to do, as the field of a log line.
    static let action =
        "create a new certificate on developer.apple.com and replace the file; it is adopted within"
        + " seconds, without a restart"

    /// The app that it is used for.
    let app: String
    /// Whole days until it expires; negative once it has.
    let days: Int64

    /// A certificate that ends at `end`, in seconds since 1970; nil if that is not soon.
    init?(app: String, end: Int64, wallClock: Int64) {
        let seconds = end - wallClock / 1000
        guard seconds < Self.warningDays * 86_400 else { return nil }
        self.app = app
        days = seconds < 0 ? -1 : seconds / 86_400
    }

    /// It is no longer valid.
    var isExpired: Bool { days < 0 }

    /// The kind of problem that it is.
    var kind: StatusProblem.Kind { isExpired ? .certificateExpired : .certificateExpires }

    /// What is wrong.
    var message: String {
        if isExpired { return "the certificate of \(app) has expired" }
        return "the certificate of \(app) expires in \(Self.daysLeft(days))"
    }

    /// A number of days, as a message shows it.
    static func daysLeft(_ days: Int64) -> String {
        days == 1 ? "1 day" : days == 0 ? "less than a day" : "\(days) days"
    }
}

extension BridgeStatus.Reading.Worker {
    /// Its certificates that expire soon; `wallClock` is in milliseconds since 1970.
    func certificates(at wallClock: Int64) -> [ExpiringCertificate] {
        zip(worker.apps, figures?.credentials ?? []).compactMap { app, dates in
            dates.certificateExpiresAt.flatMap {
                ExpiringCertificate(app: app, end: $0, wallClock: wallClock)
            }
        }
    }
}
