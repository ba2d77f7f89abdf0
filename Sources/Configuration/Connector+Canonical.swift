public import Mapping
internal import TLS

extension Connector {
    /// A plan that maps canonical events to pushes of one of its apps, whatever its own
    /// notifications are; `source` is what the details of drops name instead of the file.
    public func canonicalPlan(app: AppSettings, source: String) -> MappingPlan? {
        var defaults = MappingDefaults(fileName: source, bundleID: app.bundleID)
        if apns.apps.count > 1 {
            let name = MappingSource.scalar(
                text: app.name, style: .quoted, location: MappingLocation(line: 1, column: 1))
            let apps = apns.apps.map {
                MappingApp(
                    name: $0.name, bundleID: $0.bundleID, environment: $0.environment.rawValue)
            }
            defaults = MappingDefaults(fileName: source, apps: apps, app: name)
        }
        // What is sent by hand goes where its sender says.
        defaults.allowedBundleIDs = ["*"]
        return MappingPlan.compile(
            notification: nil, when: nil, defaults: defaults, hash: { SHA256.hash($0) }
        ).plan
    }
}
