internal import APNs
internal import Telemetry

/// How a worker goes over to another credential while it runs, and what it tells of that.
extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    /// Another credential, or other trusted roots, are to be tried for a route.
    mutating func renew(_ number: Int, _ route: APNsRoute) {
        offered[number] = route.credential
        pools.renew(number, route, &kernel)
        core.credentialOffered(route: number)
    }

    /// APNs has accepted a push with the new credential of a route.
    mutating func renewed(_ route: Int) {
        if let credential = offered.removeValue(forKey: route) {
            core.renewed(route: route, to: credential)
        }
        logger.info("the new credential is in use", metadata: apps(on: route))
    }

    /// APNs refuses the new credential of a route: the old one goes on.
    mutating func renewalRefused(_ refusal: RenewalRefusal, _ route: Int) {
        let kind = offered.removeValue(forKey: route)?.kind ?? .key
        var metadata = apps(on: route)
        metadata["reason"] = .string(refusal.reason)
        metadata["what"] = .string(refusal.meaning(for: kind))
        logger.error(
            "APNs refuses the new credential: the old one goes on", metadata: metadata)
    }

    /// The apps that share a route, by their names.
    func apps(on route: Int) -> Logger.Metadata {
        let names = core.settings.apps.filter { $0.route == route }.map(\.name)
        return ["apps": .string(names.joined(separator: " "))]
    }
}
