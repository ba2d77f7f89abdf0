internal import Configuration
internal import EventLoop
internal import Glibc
internal import TLS

/// Finds the address on which a service listens, and says at which setting what is wrong with it.
struct Listening {
    /// The mailbox of a loop wakes under this token.
    static let mailboxToken: UInt64 = 0
    private static let lookupToken: UInt64 = 2
    /// The listener wakes under this token, and its connections under the following ones.
    static let firstToken: UInt64 = 3

    let settings: LegacyListenSettings
    let places: SettingPlaces

    /// The address of the host; waits for the look-up.
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
            places.error(
                at: "listen.host", "listen",
                message: "'host: \(settings.host)' is not an address of this machine: \(reason)",
                remedy: "write host: 127.0.0.1, or 0.0.0.0 for all interfaces"))
    }

    /// What TLS sessions begin with.
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
                places.error(
                    at: "listen.certificate", message: "'certificate' is not usable: \(error)",
                    remedy: "name a PEM file with a certificate and its key"))
        }
    }

    /// The authorities of all apps; none where every app names its clients by fingerprints.
    static func authorities(_ files: [[UInt8]]) -> [UInt8] {
        files.filter { !$0.isEmpty }.flatMap { $0 + [UInt8(ascii: "\n")] }
    }

    /// Says why a port cannot be had.
    func refused(_ error: KernelError) -> LegacyFailure {
        let isTaken = error.code == EADDRINUSE
        let isForbidden = error.code == EACCES
        let problem = places.error(
            at: isTaken || isForbidden ? "listen.port" : "listen.host", "listen",
            message: "cannot listen on \(settings.host):\(settings.port): \(error.description)",
            remedy: isTaken
                ? "stop the process that listens there (see ss -ltnp), or write another port"
                : isForbidden
                    ? "write a port above 1023" : "write an address of this machine")
        return LegacyFailure(isTaken ? .unavailable : .configuration, problem)
    }
}
