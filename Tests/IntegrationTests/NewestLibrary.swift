import Foundation

/// The librdkafka in Python's `confluent-kafka`, which is newer than the system's, and with which a
/// process can run instead.
enum NewestLibrary {
    /// Where `make python-clients` puts it; nil without it.
    static let path: String? = {
        let position = ComposeFile.root.appending(path: ".build/python-clients/lib")
        let manager = FileManager.default
        for python in (try? manager.contentsOfDirectory(atPath: position.path)) ?? [] {
            let folder = position.appending(path: "\(python)/site-packages/confluent_kafka.libs")
            let files = (try? manager.contentsOfDirectory(atPath: folder.path)) ?? []
            if let file = files.first(where: { $0.hasPrefix("librdkafka-") }) {
                return folder.appending(path: file).path
            }
        }
        return nil
    }()

    /// The environment of a process that runs with it; `folder` gets a link to it.
    static func environment(in folder: URL) throws -> [String: String] {
        let position = folder.appending(path: "library")
        try FileManager.default.createDirectory(at: position, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: position.appending(path: "librdkafka.so.1").path,
            withDestinationPath: path ?? "")
        return ["LD_LIBRARY_PATH": position.path]
    }
}
