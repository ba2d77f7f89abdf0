internal import CCCTZ

/// The time zones used so far, each loaded once from the system's zone files.
///
/// Names come from events as well as from connector files, and can do no harm: only names in the
/// form of the time zone database are looked up, only below the folder of the zone files, and only
/// existing zones are kept. So a table never contains more than the system's zones, about 600.
/// Loading a zone for the first time reads a file of about 2 KiB; looking up a missing zone checks
/// for its file each time.
@safe public struct ZoneTable: ~Copyable {
    private var numbers: [[UInt8]: Int] = [:]
    // The library owns them and keeps them until the process exits.
    private var zones: [OpaquePointer] = unsafe []

    /// Creates a table without zones.
    public init() {}

    /// The number of a zone, such as `Europe/Berlin`; nil when it does not exist.
    public mutating func zone(named name: [UInt8]) -> Int? {
        if let known = numbers[name] { return known }
        guard Self.isName(name) else { return nil }
        let text = String(decoding: name, as: UTF8.self)
        // UTC needs no file, so that it works where none are installed.
        let isFile = unsafe cctz_is_zone_file(text)
        guard isFile || text == "UTC" else { return nil }
        guard let zone = unsafe cctz_open(text) else { return nil }
        unsafe zones.append(zone)
        numbers[name] = unsafe zones.count - 1
        return unsafe zones.count - 1
    }

    /// The local time of a zone at a point in time, in seconds since 1970.
    public func localTime(of zone: Int, at seconds: Int64) -> LocalTime {
        unsafe LocalTime(cctz_read(zones[zone], seconds))
    }

    /// True for names in the form of the time zone database: `Etc/GMT+5`, `America/Port_of_Spain`.
    ///
    /// Each part starts with a capital letter. That excludes `localtime`, `posix/…` and `right/…`,
    /// and everything that could lead out of the folder.
    static func isName(_ name: [UInt8]) -> Bool {
        guard !name.isEmpty, name.count <= 64 else { return false }
        var isFirst = true
        for byte in name {
            let isCapital = byte &- UInt8(ascii: "A") < 26
            if isFirst {
                guard isCapital else { return false }
                isFirst = false
            } else if byte == UInt8(ascii: "/") {
                isFirst = true
            } else {
                guard isCapital || isInner(byte) else { return false }
            }
        }
        return !isFirst
    }

    private static func isInner(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
            UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+"):
            true
        default: false
        }
    }
}
