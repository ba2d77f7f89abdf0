import Testing

@testable import TimeZones

@Suite struct `A time zone` {
    @Test(arguments: [
        "", "Nowhere/Atlantis", "../../etc/passwd", "/etc/passwd", "/usr/share/zoneinfo/UTC",
        "Europe/../UTC", "Europe", "Europe/", "/Europe/Berlin", "file:UTC", "libc:localtime",
        "localtime", "posixrules", "posix/UTC", "right/UTC", "tzdata.zi", "zone.tab",
        "Fixed/UTC+05:00:00", "UTC0", "europe/berlin", "Europe/Berlin\u{0}", "Europe//Berlin",
        "Europe/Berlin ", "Zürich",
    ])
    func `is not found under an unknown name`(name: String) {
        var table = ZoneTable()
        #expect(table.zone(named: Array(name.utf8)) == nil)
    }

    @Test func `is not looked up if its name is too long`() {
        let name = "Europe/" + String(repeating: "B", count: 100_000)
        #expect(!ZoneTable.isName(Array(name.utf8)))
    }

    @Test func `is kept once, however often it is requested`() {
        var table = ZoneTable()
        let berlin = table.zone(named: Array("Europe/Berlin".utf8))
        let tokyo = table.zone(named: Array("Asia/Tokyo".utf8))
        let again = table.zone(named: Array("Europe/Berlin".utf8))
        #expect([berlin, tokyo, again] == [0, 1, 0])
    }

    @Test(arguments: ["Etc/GMT+5", "America/Port_of_Spain", "America/Argentina/Ushuaia", "W-SU"])
    func `is found under every form of name that the database has`(name: String) {
        var table = ZoneTable()
        #expect(table.zone(named: Array(name.utf8)) == 0)
    }

    @Test(arguments: [
        ("UTC", 0, "1970-1-1 0:0:0 0 UTC"),
        ("Europe/Berlin", 1_774_746_000 - 1, "2026-3-29 1:59:59 3600 CET"),
        ("Europe/Berlin", 1_774_746_000, "2026-3-29 3:0:0 7200 CEST"),
        ("America/New_York", 1_767_261_600, "2026-1-1 5:0:0 -18000 EST"),
        ("Asia/Kathmandu", 1_767_261_600, "2026-1-1 15:45:0 20700 +0545"),
        ("UTC", -1, "1969-12-31 23:59:59 0 UTC"),
        ("Europe/Berlin", 4_000_000_000, "2096-10-2 9:6:40 7200 CEST"),
    ])
    func `shows a time as its clocks do`(name: String, seconds: Int64, shown: String) {
        var table = ZoneTable()
        guard let zone = table.zone(named: Array(name.utf8)) else {
            Issue.record("\(name) is not there")
            return
        }
        let time = table.localTime(of: zone, at: seconds)
        var letters = ""
        var rest = time.abbreviation
        while rest != 0 {
            letters.unicodeScalars.append(Unicode.Scalar(UInt8(truncatingIfNeeded: rest)))
            rest >>= 8
        }
        #expect(
            "\(time.year)-\(time.month)-\(time.day) \(time.hour):\(time.minute):\(time.second) "
                + "\(time.offset) \(letters)" == shown)
    }

    @Test func `can be listed with all others`() {
        let names = ZoneFiles.names
        #expect(ZoneFiles.areThere)
        #expect(names.contains("Europe/Berlin"))
        #expect(names.contains("America/Argentina/Ushuaia"))
        #expect(!names.contains { $0.hasPrefix("right/") || $0.hasPrefix("posix/") })
        #expect(names.count > 300)
    }
}
