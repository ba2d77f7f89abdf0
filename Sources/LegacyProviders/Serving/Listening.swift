internal import Configuration
internal import EventLoop
internal import Glibc
internal import TLS

/// Determines the address on which a service listens, and reports errors at the right setting.
struct Listening {
    /// The token that wakes a loop for its mailbox.
    static let mailboxToken: UInt64 = 0
    private static let lookupToken: UInt64 = 2
    /// The token of the listener; its connections have the following ones.
    static let firstToken: UInt64 = 3

    let settings: LegacyListenSettings
    let locations: SettingLocations

    /// The address of the host; blocks for the lookup.
    func address(_ kernel: inout LinuxKernel) throws(LegacyFailure) -> SocketAddress {
        let token = Self.lookupToken
        kernel.resolve(host: settings.host, port: settings.port, token: token)
        var found = kernel.resolved(token)
        while found == nil {
            kernel.wait(until: nil) { _ in }
            found = kernel.resolved(token)
        }
        if case .success(let addresses)? = found, let first = addresses.first { return first }
        var reason = "no address"
        if case .failure(let error)? = found { reason = error.description }
        throw LegacyFailure(
            .configuration,
            locations.error(
                at: "listen.host", "listen",
                message: "'host: \(settings.host)' is not an address of this machine: \(reason)",
                remedy: "write host: 127.0.0.1, or 0.0.0.0 for all interfaces"))
    }

    /// The context of TLS sessions.
    func context(
        _ apps: [LegacyAppSettings], _ roster: ClientRoster
    ) throws(LegacyFailure) -> TLSContext {
        do throws(TLSError) {
            let roots = Self.authorities(apps.map(\.authoritiesPEM))
            return try TLSContext.server(
                certificate: settings.certificate, clients: roster.judge(rootsPEM: roots))
        } catch {
            throw LegacyFailure(
                .configuration,
                locations.error(
                    at: "listen.certificate", message: "'certificate' is not usable: \(error)",
                    remedy: "name a PEM file with a certificate and its key"))
        }
    }

    /// The authorities of all apps; empty if every app identifies its clients by fingerprint.
    static func authorities(_ files: [[UInt8]]) -> [UInt8] {
        files.filter { !$0.isEmpty }.flatMap { $0 + [UInt8(ascii: "\n")] }
    }

    /// Reports that the process lacks descriptors.
    func exhausted(_ detail: String) -> LegacyFailure {
        LegacyFailure(
            .unavailable,
            locations.error(
                at: "listen", message: "cannot start: \(detail)",
                remedy: "raise the limits of the process; 'apns-bridge doctor' says how much is"
                    + " needed"))
    }

    /// A kernel for the service.
    func kernel(capacity: Int = 256) throws(LegacyFailure) -> LinuxKernel {
        do throws(KernelError) {
            return try LinuxKernel(capacity: capacity)
        } catch {
            throw exhausted(error.description)
        }
    }

    /// Reports why the port is not available.
    func refused(_ error: KernelError) -> LegacyFailure {
        let isTaken = error.code == EADDRINUSE
        let isForbidden = error.code == EACCES
        let problem = locations.error(
            at: isTaken || isForbidden ? "listen.port" : "listen.host", "listen",
            message: "cannot listen on \(settings.host):\(settings.port): \(error.description)",
            remedy: isTaken
                ? "stop the process that listens there (see ss -ltnp), or write another port"
                : isForbidden
                    ? "write a port above 1023" : "write an address of this machine")
        return LegacyFailure(isTaken ? .unavailable : .configuration, problem)
    }
}
