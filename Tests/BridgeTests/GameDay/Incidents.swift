import APNsSimulator
import BridgeTesting
import Configuration

@testable import Bridge

/// The incidents of the game day: the article *Runbook* has a row for each.
extension Incident {
    static let all = apns + kafka + process + rest

    private static func suspended(_ status: Int, _ reason: String) -> String {
        "sending suspended for shop: APNs responds \(status) \(reason)"
    }

    /// All responses of APNs while an incident lasts.
    static func responses(_ what: String, for seconds: Int) -> String {
        """
        answers:
          - {device_token: "", from: \(GameDay.start)s, until: \(GameDay.start + seconds)s, \(what)}
        """
    }

    /// All responses of APNs to broadcasts while an incident lasts.
    private static func broadcasts(_ what: String, for seconds: Int) -> String {
        responses(what, for: seconds).replacing("device_token", with: "channel")
    }

    static let corruptedTokens = Incident(
        name: "the table of device tokens is corrupted",
        alerts: ["ApnsBridgeSendingSuspended"],
        problem: "sending suspended for shop: too many device tokens are unregistered or suspect",
        logged: "sending suspended: too many device tokens are unregistered or suspect",
        summary: "suspended_apps",
        doctor: .unplayed("nothing", because: "it sends no push, and knows no device token"),
        remedy: "correct the source of the tokens; then release the guard, or wait until a probe"
            + " succeeds",
        begin: { $0.tokenPrefix = "bad0" }, end: { $0.recoverTokens() },
        // Until the pushes that were rejected are few again.
        recovery: 900)

    private static let apns: [Incident] = [
        Incident(
            name: "the APNs key is revoked",
            alerts: ["ApnsBridgeSendingSuspended"],
            problem: suspended(403, "InvalidProviderToken"),
            logged: "sending suspended: APNs rejected the credential or its configuration",
            summary: "suspended_apps",
            // The connector's key is not one that this APNs knows.
            doctor: .nothing("a revoked key still signs, and it sends no push") { _ in },
            remedy: "put the new key into its file; it is adopted within seconds, and sending"
                + " resumes",
            scenario: responses("status: 403, reason: InvalidProviderToken", for: 120)),
        Incident(
            name: "the app may not broadcast",
            alerts: ["ApnsBridgeBroadcastsSuspended"],
            problem: "sending suspended for shop (broadcasts): APNs responds 400"
                + " FeatureNotEnabled",
            logged: "sending suspended: APNs rejected the credential or its configuration",
            summary: "suspended_apps",
            doctor: .nothing("it sends no broadcast") { _ in },
            remedy: "enable broadcasts for the app's identifier on developer.apple.com; they resume"
                + " at the next probe. Pushes to devices go on, until `max_waiting` broadcasts"
                + " wait",
            scenario: broadcasts("status: 400, reason: FeatureNotEnabled", for: 120),
            hasBroadcasts: true),
        Incident(
            name: "the clock of the machine is two hours off",
            alerts: ["ApnsBridgeSendingSuspended"],
            problem: suspended(403, "ExpiredProviderToken"),
            logged: "sending suspended: APNs rejected the credential or its configuration",
            summary: "suspended_apps",
            doctor: .finds(
                .notChecked, check: "clock",
                detail: "APNs reports its time only in responses, and no push was sent"),
            remedy: "set the clock (`timedatectl`, chrony); sending resumes at the next probe",
            begin: { $0.world.apnsClock.ahead = 7_200_000 },
            // Each probe ends its connection: not in the moment in which the next one opens.
            end: { $0.world.apnsClock.ahead = 0 }, seconds: 135),
        Incident(
            name: "the clock of the machine jumps ahead", alerts: ["ApnsBridgeClockInDoubt"],
            problem: "the clock is in doubt: nothing expires, and no record is taken",
            logged: "the clock jumped; nothing expires and no record is taken meanwhile",
            doctor: .unplayed("nothing", because: "it compares no two clocks"),
            remedy: "set the clock (`timedatectl`, chrony), or let the time service do it; taking"
                + " resumes within a second. If the clock is right,"
                + " `POST /connectors/NAME/clock/release`",
            begin: { $0.jumpAhead() }, end: { $0.setClockRight() }, seconds: 150),
        corruptedTokens,
        Incident(
            name: "APNs responds 503",
            alerts: ["ApnsBridgeEventsLate"],
            problem: "events older than five minutes are unfinished",
            logged: "events older than five minutes are unfinished", summary: "retries",
            doctor: .nothing("the connection itself works") {
                $0.scenario = """
                    answers: [{device_token: "", status: 503, reason: ServiceUnavailable}]
                    """
            },
            remedy: "wait; Apple's System Status page may tell more. Pushes are sent again with"
                + " growing pauses",
            scenario: responses("status: 503, reason: ServiceUnavailable", for: 900), seconds: 900,
            pace: 20_000),
        Incident(
            name: "APNs is slow",
            alerts: ["ApnsBridgeResponsesSlow"],
            problem: "APNs is slow: most of its responses take longer than 2.5 s",
            logged: "APNs is slow", summary: "slow_responses",
            doctor: .finds(
                .failed, check: "apns", detail: "no response",
                note: "if opening a connection takes longer than 10 s",
                standIn: "an APNs that never responds in TLS"
            ) {
                $0.scenario = "faults: [{from: 0s, until: 1h, tls: silent}]"
                $0.apnsTimeout = .milliseconds(500)
            },
            remedy: "compare with other networks and hosts of Apple; more connections help while"
                + " `connection_limit` is not null",
            scenario: responses("latency: 3s", for: 900), seconds: 900, recovery: 300, pace: 1000),
        Incident(
            name: "responses of APNs get lost",
            alerts: ["ApnsBridgeInDoubt"],
            problem: "many pushes are in doubt: they may or may not have arrived",
            logged: "many pushes are in doubt", summary: "unknown",
            doctor: .nothing("opening a connection works") {
                $0.scenario = "answers: [{device_token: \"\", cut: reset}]"
            },
            remedy: "find out what cuts connections or delays responses: a proxy, a NAT, a"
                + " firewall. Outcomes that say `unknown` are not sent again; `in_doubt: resend`"
                + " sends them twice rather than perhaps never",
            scenario: responses("share: 50%, cut: reset", for: 1500), seconds: 1500, recovery: 300,
            pace: 5000),
        Incident(
            name: "DNS is gone",
            alerts: ["ApnsBridgeNoConnection"],
            problem: "no connection to APNs: the DNS lookup failed",
            logged: "no connection to APNs",
            doctor: .finds(
                .failed, check: "apns", detail: "resolve:",
                standIn: "a host name that is too long to resolve"
            ) {
                // No resolver is asked for a label of 64 characters.
                $0.connector.apns.apps[0].endpoint.host = String(repeating: "a", count: 64)
                $0.connector.apns.apps[0].endpoint.isCustom = true
            },
            remedy: "repair the resolver, or the network behind it; connections are opened again"
                + " within seconds",
            begin: { $0.loseNames() }, end: { $0.world.network.rules = [] }, seconds: 180),
        Incident(
            name: "the client certificate is revoked",
            alerts: ["ApnsBridgeNoConnection"],
            problem: "no connection to APNs for shop: it rejects the client certificate",
            logged: "no connection to APNs: it rejects the client certificate",
            doctor: .finds(.failed, check: "apns", detail: "rejected by the peer") {
                try $0.useCertificate(hours: 365 * 24)
                $0.scenario = "faults: [{from: 0s, until: 1h, tls: revoked}]"
            },
            remedy: "create a new certificate on developer.apple.com and put it into its file; it"
                + " is adopted within seconds, and connections are opened again",
            begin: { try $0.reconnectWithCertificate() },
            scenario: "faults: [{from: 50s, until: 330s, tls: revoked}]", seconds: 300),
    ]
}
