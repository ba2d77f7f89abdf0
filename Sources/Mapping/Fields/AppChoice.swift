/// Chooses the app of a notification: by name, or by bundle identifier and environment.
struct AppChoice: Sendable {
    /// An app, in the bytes that events are compared with.
    struct App: Sendable {
        var name: [UInt8]
        var bundleID: [UInt8]
        var environment: [UInt8]
    }

    /// The apps in the order of the file; empty when there is only one.
    var apps: [App] = []
    /// The template of the name; -1 when bundle identifier and environment decide.
    var template: Int32 = -1

    func index(named name: [UInt8]) -> Int? { apps.firstIndex { $0.name == name } }

    /// The only app with this bundle identifier and this environment; an empty one matches any.
    func index(bundleID: [UInt8], environment: [UInt8]) -> Found {
        var found = Found.none
        for index in apps.indices
        where (bundleID.isEmpty || apps[index].bundleID == bundleID)
            && (environment.isEmpty || apps[index].environment == environment)
        {
            guard case .none = found else { return .several }
            found = .one(index)
        }
        return found
    }

    enum Found {
        case none, one(Int), several
    }
}
