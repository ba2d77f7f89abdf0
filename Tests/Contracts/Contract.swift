package import Foundation

/// What a release has published, and every later release of its line writes and reads.
///
/// Its files are in a folder with the release's number, and stay as they are: a later release adds
/// a folder with what it adds. The article *Compatibility* says what they promise.
package struct Contract: Sendable, CustomStringConvertible {
    /// The number of the release.
    package let release: String

    package var description: String { release }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()

    /// What a test gets in place of releases if none has published its file: reading that fails.
    private static let absent = Contract(release: "none")

    /// A file or a folder that is not there.
    private struct Unpublished: Error, CustomStringConvertible {
        let description: String
    }

    /// The releases that have published a file or a folder, oldest first; never empty, so that no
    /// test passes because it has nothing to read.
    package static func having(_ name: String) -> [Contract] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        let found = names.filter { $0.first?.isNumber == true }
            .map { Contract(release: $0) }
            .filter { FileManager.default.fileExists(atPath: $0.file(name).path) }
        if found.isEmpty { return [absent] }
        return found.sorted {
            $0.release.compare($1.release, options: .numeric) == .orderedAscending
        }
    }

    /// The location of one of its files or folders.
    package func file(_ name: String) -> URL {
        Self.root.appending(path: release).appending(path: name)
    }

    /// The location of one of its files or folders, which is there.
    private func existing(_ name: String) throws -> URL {
        let location = file(name)
        guard FileManager.default.fileExists(atPath: location.path) else {
            let who = release == Self.absent.release ? "no release has" : "\(release) has not"
            throw Unpublished(description: "\(who) published \(name)")
        }
        return location
    }

    /// The names of the files in one of its folders, in alphabetical order.
    package func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: existing(folder).path).sorted()
    }

    /// The text of one of its files.
    package func text(_ name: String) throws -> String {
        try String(contentsOf: existing(name), encoding: .utf8)
    }

    /// The lines of a list, without empty ones and comments.
    package func lines(_ name: String) throws -> [String] {
        try text(name).split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    /// What a list has and this program lacks, each with what that means.
    package func missing(_ name: String, from found: some Sequence<String>) throws -> [String] {
        let found = Set(found)
        return try lines(name).filter { !found.contains($0) }
            .map { broken("\(name) has '\($0)', and this program does not") }
    }

    /// What this program has and no release lists: what nobody lists, no later test keeps.
    package static func unlisted(
        _ name: String, from found: some Sequence<String>
    ) throws -> [String] {
        let listed = Set(try having(name).flatMap { try $0.lines(name) })
        return Set(found).subtracting(listed).sorted().map {
            "'\($0)' is in no \(name): add it to that of the release that publishes it"
        }
    }

    /// How JSON of this program differs from the file that releases have published: members that
    /// are gone or have another type, and those that no release lists.
    package static func differences(_ name: String, from found: String) throws -> [String] {
        let releases = having(name)
        let texts = try releases.map { try $0.text(name) }
        let broken = zip(releases, texts).flatMap { release, text in
            JSONShape.differences(of: text, from: found, comparesValues: false)
                .map { release.broken("\($0), in \(name)") }
        }
        let unlisted = JSONShape.unlisted(in: found, from: texts).map {
            "'\($0)' is in no \(name): add it to that of the release that publishes it"
        }
        return broken + unlisted
    }

    /// The message of a failure.
    package func broken(_ fault: String) -> String {
        "this was published with \(release): \(fault). Users rely on it until 2.0.0: add beside it"
            + " what is new, and leave Tests/Contracts/\(release) as it is"
    }
}
