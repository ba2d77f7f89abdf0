internal import CCCTZ
internal import Glibc

/// The system's time zone files: Debian's package `tzdata`.
@safe public enum ZoneFiles {
    /// The folder that contains them: the variable `TZDIR`, or `/usr/share/zoneinfo`.
    public static var directory: String { unsafe String(cString: cctz_directory()) }

    /// False on a machine without the library that reads them: then there is not even UTC.
    public static var areReadable: Bool { cctz_is_there() }

    /// False on a machine without any zone except UTC.
    public static var areThere: Bool {
        let hasZone = unsafe cctz_is_zone_file("Europe/London")
        return hasZone
    }

    /// The names of all zones, sorted: for suggestions, not for each record.
    public static var names: [String] {
        var found: [String] = []
        collect("", depth: 0, into: &found)
        return found.sorted()
    }

    private static func collect(_ prefix: String, depth: Int, into found: inout [String]) {
        guard depth < 4, let folder = unsafe opendir(directory + "/" + prefix) else { return }
        defer { unsafe closedir(folder) }
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            let path = prefix + name
            guard ZoneTable.isName(Array(path.utf8)) else { continue }
            if unsafe cctz_is_zone_file(path) {
                found.append(path)
            } else {
                collect(path + "/", depth: depth + 1, into: &found)
            }
        }
    }
}
