internal import APNs
internal import Engine
internal import Telemetry

/// A credential that APNs has not judged yet.
struct OfferedCredential {
    var credential: APNsCredential
    var result: RenewalResult?
}

/// How a worker switches to another credential while it runs, and what it logs.
extension Worker where Machine: ~Copyable, Source: ~Copyable, Sink: ~Copyable {
    /// Offers another credential, or other trusted roots, to a route.
    mutating func renew(_ number: Int, _ route: APNsRoute, _ result: RenewalResult?) {
        offered[number] = OfferedCredential(credential: route.credential, result: result)
        pools.renew(number, route, &kernel)
        engine.credentialOffered(route: number)
    }

    /// APNs has accepted a push with the new credential of a route.
    mutating func renewed(_ route: Int, _ version: CredentialVersion) {
        let offer = offered.removeValue(forKey: route)
        offer?.result?.settle(.accepted)
        engine.credentialAdopted(offer?.credential, version, route: route)
        logger.info("now using the new credential", metadata: apps(on: route))
    }

    /// APNs rejected the new credential of a route, which continues with the current one.
    mutating func renewalRefused(_ refusal: RenewalRefusal, _ route: Int) {
        let offer = offered.removeValue(forKey: route)
        offer?.result?.settle(.refused)
        let kind = offer?.credential.kind ?? .key
        var metadata = apps(on: route)
        metadata["reason"] = .string(refusal.reason)
        metadata["action"] = .string(refusal.meaning(for: kind))
        logger.error(
            "APNs rejected the new credential; continuing with the current credential",
            metadata: metadata)
    }

    /// The names of the apps that share a route.
    func apps(on route: Int) -> Logger.Metadata {
        let names = engine.settings.apps.filter { $0.route == route }.map(\.name)
        return ["apps": .strings(names)]
    }
}
