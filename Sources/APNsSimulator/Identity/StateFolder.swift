internal import FoundationEssentials
internal import YAML

/// The folder in which a simulator stores its keys.
struct StateFolder {
    let path: String

    func create() throws(SimulatorError) {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
        } catch {
            let reason: String
            switch (error as? CocoaError)?.code {
            case .fileWriteNoPermission: reason = ": permission denied"
            case .fileWriteFileExists: reason = ": a file with this name exists"
            case .fileNoSuchFile: reason = ": the parent folder does not exist"
            case .fileWriteVolumeReadOnly: reason = ": the parent folder is not writable"
            default: reason = ""
            }
            throw SimulatorError(
                .state,
                "\(path): cannot create the folder\(reason); choose another one with --state")
        }
    }

    /// The content of a file; nil when it does not exist.
    func read(_ name: String) throws(SimulatorError) -> [UInt8]? {
        do throws(InputFile.Failure) {
            return try InputFile.read(path: path + "/" + name)
        } catch {
            if error.isMissing { return nil }
            throw SimulatorError(
                .state,
                "\(path)/\(name): cannot be read: \(error.reason); fix that, "
                    + "or choose another folder with --state")
        }
    }

    /// Writes a file; a secret one is only accessible to its owner before any byte is written.
    func write(_ bytes: [UInt8], to name: String, isSecret: Bool) throws(SimulatorError) {
        let file = path + "/" + name
        let isMade = FileManager.default.createFile(
            atPath: file, contents: nil,
            attributes: [.posixPermissions: isSecret ? 0o600 : 0o644])
        do {
            guard isMade else { throw CocoaError(.fileWriteUnknown) }
            try Data(bytes).write(to: URL(filePath: file))
        } catch {
            throw SimulatorError(
                .state, "\(file): cannot be written; check the folder's permissions")
        }
    }

    func unusable(_ name: String, _ message: String) -> SimulatorError {
        SimulatorError(
            .state, "\(path)/\(name): \(message); remove the file to have a new one made")
    }
}
