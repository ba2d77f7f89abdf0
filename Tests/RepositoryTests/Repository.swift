import Foundation

/// The source tree that this test was built from.
enum Repository {
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let sources = swiftFiles(under: "Sources")
    static let tests = swiftFiles(under: "Tests")
    static let swift =
        sources + tests + swiftFiles(under: "Benchmarks")
        + [try? SwiftFile(path: "Package.swift")].compactMap(\.self)

    /// Files that people read, whatever their kind; paths from the root.
    static let texts: [String] = files(under: "").filter { path in
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let kinds = ["swift", "md", "yaml", "yml", "json", "c", "h", "modulemap", "sh", "py"]
        let hasKind = kinds.contains { name.hasSuffix(".\($0)") }
        return hasKind || ["Makefile", "Dockerfile", "run"].contains(name)
    }

    /// The names in the root that are not hidden.
    static var visibleRootEntries: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted()
    }

    /// True if a path from the root leads to a file or folder.
    static func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func swiftFiles(under folder: String) -> [SwiftFile] {
        files(under: folder).filter { $0.hasSuffix(".swift") }.compactMap {
            try? SwiftFile(path: $0)
        }
    }

    private static func files(under folder: String) -> [String] {
        let skipped = [".build", ".git", "__pycache__"]
        let start = folder.isEmpty ? root : root.appending(path: folder)
        guard let walk = FileManager.default.enumerator(atPath: start.path) else { return [] }
        var found: [String] = []
        while let path = walk.nextObject() as? String {
            if skipped.contains(where: { path == $0 }) { walk.skipDescendants() }
            found.append(folder.isEmpty ? path : "\(folder)/\(path)")
        }
        return found.sorted()
    }
}
