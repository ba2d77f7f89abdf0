import Delivery
import Mapping
import Testing

/// The result of a single template as a string, or the reason of its drop.
private func text(_ template: String, _ event: String) throws -> String {
    let found = try value(template, event)
    return found.hasPrefix("\"") ? String(found.dropFirst().dropLast()) : found
}

@Suite struct `A date` {
    @Test(arguments: [
        ("{\"z\":\"Nowhere/Atlantis\"}", "bad_zone"), ("{\"z\":\"../../etc/passwd\"}", "bad_zone"),
        ("{\"z\":\"/etc/localtime\"}", "bad_zone"), ("{\"z\":\"file:UTC\"}", "bad_zone"),
        ("{\"z\":\"localtime\"}", "bad_zone"), ("{\"z\":\"\"}", "bad_zone"),
        ("{\"z\":\"Europe/Berlin\\u0000\"}", "bad_zone"), ("{\"z\":\"right/UTC\"}", "bad_zone"),
        ("{\"z\":1}", "wrong_type"), ("{\"z\":null}", "missing_field"),
        ("{\"z\":\"Europe/Berlin\"}", "11:00"), ("{\"z\":\"UTC\"}", "10:00"),
    ])
    func `needs a time zone that the machine knows`(_ event: String, _ result: String) throws {
        #expect(try text("${@timestamp | date(\"%H:%M\", z)}", event) == result)
    }

    @Test(arguments: [
        (
            "date(\"%H\", \"Europe/Berln\")", 18, "unknown time zone 'Europe/Berln'",
            "did you mean 'Europe/Berlin'?"
        ),
        ("date(\"%H\", \"CEST\")", 18, "unknown time zone 'CEST'", nil),
        ("date(\"%H\", z ?? \"Mars\")", 18, "unknown time zone 'Mars'", nil),
        ("date(\"%H\", 1)", 18, "a time zone must be a name", "write \"Europe/Berlin\" or \"UTC\""),
        ("date(\"%H\")", 7, "'date' takes a format in quotation marks and a zone", nil),
        ("date", 7, "'date' takes a format in quotation marks and a zone", nil),
        ("date(f, \"UTC\")", 7, "'date' takes a format in quotation marks and a zone", nil),
        ("date(\"\", \"UTC\")", 12, "the format is empty", nil),
        ("date(\"%Q\", \"UTC\")", 12, "unknown conversion '%Q'", nil),
        ("date(\"%é\", \"UTC\")", 12, "unknown conversion '%é'", nil),
        ("date(\"%:H\", \"UTC\")", 12, "unknown conversion '%:H'", nil),
        (
            "date(\"%x\", \"UTC\")", 12, "unknown conversion '%x'",
            "write %F for 2026-01-31, or %d.%m.%Y"
        ),
        ("date(\"%H:%i\", \"UTC\")", 12, "unknown conversion '%i'", "write %M for minutes"),
        (
            "date(\"100 %\", \"UTC\")", 12, "missing letter after '%'",
            "write %% for a percent sign"
        ),
    ])
    func `is validated when the file is read`(
        _ transform: String, _ column: Int, _ message: String, _ remedy: String?
    ) {
        let text = "${a | \(transform)}"
        let found = problems(minimal.with(["payload": ["aps": ["alert": .plain(text)]]]))
        #expect(found.map(\.message) == [message])
        #expect(found.first?.location == MappingLocation(line: 8, column: 9 + column))
        if let remedy { #expect(found.first?.remedy == remedy) }
    }

    @Test(arguments: [
        ("1767261600", "2026-01-01T10:00:00"), ("\"1767261600\"", "2026-01-01T10:00:00"),
        ("1767261600999", "2026-01-01T10:00:00"), ("0", "1970-01-01T00:00:00"),
        ("\"2026-01-01T10:00:00.999+02:00\"", "2026-01-01T08:00:00"),
        ("\"1960-02-29T12:00:00.5Z\"", "1960-02-29T12:00:00"),
        ("\"0000-01-01T00:00:00Z\"", "0000-01-01T00:00:00"),
        ("\"9999-12-31T23:59:60Z\"", "10000-01-01T00:00:00"),
        ("99999999999", "5138-11-16T09:46:39"), ("100000000000", "1973-03-03T09:46:40"),
        ("99999999999999", "5138-11-16T09:46:39"), ("100000000000000", "1973-03-03T09:46:40"),
        ("99999999999999999", "5138-11-16T09:46:39"),
        ("100000000000000000", "1973-03-03T09:46:40"),
        ("9223372036854775807", "2262-04-11T23:47:16"),
        ("1767261600.999", "2026-01-01T10:00:00"), ("1.7672616e9", "2026-01-01T10:00:00"),
        ("17672616000e-1", "2026-01-01T10:00:00"), ("0.999e0", "1970-01-01T00:00:00"),
        ("1e-99999999999999999999", "1970-01-01T00:00:00"),
        ("\"1767261600999999.5\"", "2026-01-01T10:00:00"), ("1.5", "1970-01-01T00:00:01"),
        ("\"2026-01-01\"", "2026-01-01T00:00:00"), ("\"2024-02-29\"", "2024-02-29T00:00:00"),
        ("\"2026-01-01T10:00Z\"", "2026-01-01T10:00:00"),
        ("\"2026-01-01T10:00:00,5+0130\"", "2026-01-01T08:30:00"),
        ("\"2026-01-01T10:00-05\"", "2026-01-01T15:00:00"),
        ("[2026,1,31,10,0]", "2026-01-31T10:00:00"), ("[2026,1,31]", "2026-01-31T00:00:00"),
        ("[2026,2,31]", "wrong_type"),
        ("-1", "number_out_of_range"), ("18446744073709551616", "number_out_of_range"),
        ("9223372036854775808", "number_out_of_range"), ("1e19", "number_out_of_range"),
        ("1e999", "number_out_of_range"), ("1e99999999999999999999", "number_out_of_range"),
        ("\"2026-02-30\"", "wrong_type"), ("\"2026-1-1\"", "wrong_type"),
        ("\"2026-01-01T\"", "wrong_type"), ("\"2026-01-01T10:00\"", "wrong_type"),
        ("\"2026-01-01T10:00.5Z\"", "wrong_type"), ("\"2026-01-01T10:00+1\"", "wrong_type"),
        ("\"2026-01-01T10:00+01:0\"", "wrong_type"), ("\"2026-01-01T10Z\"", "wrong_type"),
        ("\"1.\"", "wrong_type"), ("\".5\"", "wrong_type"), ("\"1e\"", "wrong_type"),
        ("\"2026-01-01T10:00:00\"", "wrong_type"), ("\"\"", "wrong_type"),
        ("\"soon\"", "wrong_type"),
        ("{}", "wrong_type"), ("[]", "wrong_type"),
    ])
    func `is read like an expiration`(_ time: String, _ result: String) throws {
        #expect(try text("${t | date(\"%FT%T\", \"UTC\")}", "{\"t\":\(time)}") == result)
    }

    @Test(arguments: [
        ("%a %A %b %B %h", "Thu Thursday Jan January Jan"),
        ("%Y %C %y %m %d %e %j", "2026 20 26 01 01  1 001"), ("%-d.%-m. %-I %-j", "1.1. 3 1"),
        ("%H %I %k %l %M %S %p %P", "15 03 15  3 04 05 PM pm"),
        ("%F %T %R %D %r", "2026-01-01 15:04:05 15:04 01/01/26 03:04:05 PM"),
        ("%u %w %U %W %V %G %g", "4 4 00 00 01 2026 26"), ("%s", "1767276245"),
        ("%z %:z %Z", "+0100 +01:00 CET"), ("100 %% – Grüße", "100 % – Grüße"), ("%n%t", "\\n\\t"),
    ])
    func `is formatted by every conversion of strftime in English`(
        _ format: String, _ result: String
    ) throws {
        let template = "${t | date(\"\(format)\", \"Europe/Berlin\")}"
        #expect(try text(template, "{\"t\":1767276245}") == result)
    }

    @Test(arguments: [
        ("2027-01-01", "53 2026 5 00 00"), ("2024-12-30", "01 2025 1 52 53"),
        ("2021-01-03", "53 2020 7 01 00"),
        ("2020-12-31", "53 2020 4 52 52"), ("2023-01-01", "52 2022 7 01 00"),
        ("2016-01-03", "53 2015 7 01 00"),
        ("2000-01-01", "52 1999 6 00 00"), ("2005-01-02", "53 2004 7 01 00"),
        ("2008-12-29", "01 2009 1 52 52"),
    ])
    func `is in the right week`(_ day: String, _ result: String) throws {
        let template = "${t | date(\"%V %G %u %U %W\", \"UTC\")}"
        #expect(try text(template, "{\"t\":\"\(day)T12:00:00Z\"}") == result)
    }

    @Test(arguments: [
        ("Europe/Berlin", "2026-03-29T00:59:59Z", "01:59:59 +0100 CET"),
        ("Europe/Berlin", "2026-03-29T01:00:00Z", "03:00:00 +0200 CEST"),
        ("Europe/Berlin", "2026-10-25T00:59:59Z", "02:59:59 +0200 CEST"),
        ("Europe/Berlin", "2026-10-25T01:00:00Z", "02:00:00 +0100 CET"),
        ("Asia/Kathmandu", "2026-01-01T00:00:00Z", "05:45:00 +0545 +0545"),
        ("America/St_Johns", "2026-01-01T00:00:00Z", "20:30:00 -0330 NST"),
        ("Pacific/Kiritimati", "2026-01-01T00:00:00Z", "14:00:00 +1400 +14"),
        ("Etc/GMT+5", "2026-01-01T00:00:00Z", "19:00:00 -0500 -05"),
    ])
    func `follows the clocks of its time zone`(_ zone: String, _ time: String, _ result: String)
        throws
    {
        let event = "{\"t\":\"\(time)\",\"z\":\"\(zone)\"}"
        #expect(try text("${t | date(\"%T %z %Z\", z)}", event) == result)
    }

    @Test func `accepts the record's own time as it is`() throws {
        #expect(
            try text("${@timestamp | date(\"%F %R\", q ?? \"UTC\")}", "{\"a\":1}")
                == "2026-01-01 10:00")
    }

    @Test func `is dropped with the position of the template if its time zone is unknown`() throws {
        let source = minimal.with(["payload": ["aps": ["alert": "${@timestamp | date(\"%H\", z)}"]]]
        )
        let made = try notification("{\"token\":\"ab\",\"z\":\"Mars\"}", source)
        #expect(
            made.drop
                == Drop(
                    .badZone,
                    "connectors/orders.yaml:8:11: ${@timestamp | date(\"%H\", z)} is not valid: "
                        + "this machine does not know the time zone"))
    }
}
