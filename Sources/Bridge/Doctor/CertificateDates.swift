internal import Encoding
internal import EventLoop
internal import TLS

/// What the dates of a certificate mean for those who depend on it.
struct CertificateDates {
    let result: DoctorFinding.Result
    /// The date that matters, for example `valid until 2027-01-01T00:00:00.000Z`.
    let detail: String

    /// Compares the dates of a certificate with the time, in seconds since 1970.
    init(_ certificate: CertificateDescription, at now: Int64 = WallClock.milliseconds / 1000) {
        let end = Timestamp.text(milliseconds: certificate.notAfter * 1000)
        let days = (certificate.notAfter - now) / 86_400
        if now > certificate.notAfter {
            (result, detail) = (.failed, "expired on \(end)")
        } else if now < certificate.notBefore {
            let start = Timestamp.text(milliseconds: certificate.notBefore * 1000)
            (result, detail) = (.failed, "not valid before \(start)")
        } else if days < 30 {
            let message = ExpiringCertificate.daysLeft(days)
            (result, detail) = (.warning, "expires in \(message), on \(end)")
        } else {
            (result, detail) = (.passed, "valid until \(end)")
        }
    }
}
