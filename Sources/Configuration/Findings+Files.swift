internal import YAML

/// Files that settings name.
extension Findings {
    /// The path of the file that a setting of a block names, which starts at the folder of the
    /// connector. A file that cannot be read is reported.
    func path(
        of setting: Setting?, _ name: String, in block: String, _ resolver: ReferenceResolver
    ) -> String? {
        guard let setting, let text = setting.text else { return nil }
        let path = FilePath.resolve(text, in: resolver.folder)
        guard resolver.mode.mode(at: block) != .inspect else { return path }
        do {
            _ = try InputFile.read(path: path)
        } catch {
            addUnreadable(name, setting, error, resolver)
        }
        return path
    }

    /// The file that a setting names cannot be read; only a warning for lint if it does not exist
    /// yet.
    func addUnreadable(
        _ name: String, _ setting: Setting, _ error: InputFile.Failure,
        _ resolver: ReferenceResolver, isExternal: Bool = false
    ) {
        let isHarmless = error.isMissing && resolver.mode == .lint
        isIncomplete = true
        add(
            isHarmless ? .warning : .error, at: setting.node.location, length: setting.node.length,
            "cannot read '\(name)': \(error.reason)",
            "paths are relative to the folder of this file: \(FilePath.shown(resolver.folder))",
            isExternal: isExternal)
    }
}
