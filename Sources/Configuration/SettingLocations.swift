internal import YAML

/// The positions of a connector file's settings, for later messages about them.
public struct SettingLocations: Sendable {
    let file: String
    private var locations: [String: SourceLocation] = [:]

    /// Creates a value that only knows the file.
    public init(file: String) { self.file = file }

    init(file: String, root: YAMLNode, settings: [String: Setting]) {
        self.file = file
        for (key, _) in root.entries ?? [] {
            if let name = key.text { locations[name] = key.location }
        }
        for (name, setting) in settings {
            locations[name] = setting.node.location
            switch setting.value {
            case .texts(let texts):
                for text in texts { locations["\(name).\(text.text)"] = text.node.location }
            case .properties(let properties):
                for property in properties {
                    locations["\(name).\(property.name)"] = property.node.location
                }
            default: continue
            }
        }
    }

    /// An error at the first of these settings that is in the file; about the whole file if none
    /// is.
    ///
    /// Settings are given by path: `apns.endpoint`, `kafka.bootstrap.servers`, `apns`, or
    /// `source.topics.shop.orders` for one string of a list.
    public func error(
        at settings: String..., message: String, remedy: String? = nil
    ) -> Diagnostic {
        finding(.error, at: settings, message, remedy)
    }

    /// A warning about a setting given by its path.
    public func warning(
        at setting: String, message: String, remedy: String? = nil
    ) -> Diagnostic {
        finding(.warning, at: [setting], message, remedy)
    }

    private func finding(
        _ severity: Diagnostic.Severity, at settings: [String], _ message: String,
        _ remedy: String?
    ) -> Diagnostic {
        let location = settings.lazy.compactMap { locations[$0] }.first
        return Diagnostic(
            file: file, line: location?.line ?? 0, column: location?.column ?? 0,
            severity: severity,
            message: message, remedy: remedy)
    }
}
