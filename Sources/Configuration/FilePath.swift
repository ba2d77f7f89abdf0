internal import YAML

/// String operations on paths.
public enum FilePath {
    /// The folder of a file; empty for the current one.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Makes a path relative to a folder, unless it is absolute.
    public static func resolve(_ path: String, in folder: String) -> String {
        if path.hasPrefix("/") || folder.isEmpty { return path }
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }

    /// A folder for display: `.` for the current one.
    public static func shown(_ folder: String) -> String { folder.isEmpty ? "." : folder }

    /// The last part of a path without `.yaml` or `.yml`.
    static func baseName(_ path: String) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? path
        for ending in [".yaml", ".yml"] where last.hasSuffix(ending) {
            return String(last.dropLast(ending.count))
        }
        return last
    }

    /// True for a file below a folder, after symbolic links; for a missing one, as it is written.
    static func isInside(_ path: String, _ folder: String) -> Bool {
        let outer = InputFile.resolvedPath(shown(folder)) ?? folder
        guard let found = InputFile.resolvedPath(path) else {
            let below = folder.isEmpty ? path[...] : path.dropFirst(folder.count + 1)
            return !path.hasPrefix("/") || !folder.isEmpty && path.hasPrefix(folder + "/")
                ? !below.split(separator: "/").contains("..") : false
        }
        return found.hasPrefix(outer == "/" ? outer : outer + "/")
    }
}
