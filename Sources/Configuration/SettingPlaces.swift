internal import YAML

/// The positions of a connector file's settings, for later messages about them.
public struct SettingPlaces: Sendable {
    let file: String
    private var places: [String: SourcePlace] = [:]

    /// Creates a value that only knows the file.
    public init(file: String) { self.file = file }

    init(file: String, root: YAMLNode, settings: [String: Setting]) {
        self.file = file
        for (key, _) in root.entries ?? [] {
            if let name = key.text { places[name] = key.place }
        }
        for (name, setting) in settings {
            places[name] = setting.node.place
            switch setting.value {
            case .texts(let texts):
                for text in texts { places["\(name).\(text.text)"] = text.node.place }
            case .properties(let properties):
                for property in properties {
                    places["\(name).\(property.name)"] = property.node.place
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
        let place = settings.lazy.compactMap { places[$0] }.first
        return Diagnostic(
            file: file, line: place?.line ?? 0, column: place?.column ?? 0, severity: severity,
            message: message, remedy: remedy)
    }
}
