import Delivery
import Mapping
import Testing

@Suite struct `Numbers are computed` {
    @Test(arguments: [
        (2, "1.005", "1.01"), (2, "1.004999", "1.00"), (2, "2.5", "2.50"), (0, "2.5", "3"),
        (0, "-2.5", "-3"), (0, "-0.4", "0"), (0, "0.5", "1"), (0, "0.49", "0"),
        (1, "-0.05", "-0.1"),
        (2, "9.995", "10.00"), (0, "99.5", "100"), (2, "1e6", "1000000.00"), (2, "15e-1", "1.50"),
        (3, "1E-3", "0.001"), (2, "4e-3", "0.00"), (2, "5e-3", "0.01"), (2, "1e-999", "0.00"),
        (2, "18446744073709551616", "18446744073709551616.00"), (2, "-0", "0.00"), (2, "0", "0.00"),
        (0, "123456789012345678901234567890.5", "123456789012345678901234567891"),
        (2, "0e999", "0.00"), (2, "1e99", "1" + String(repeating: "0", count: 99) + ".00"),
        (2, "1e999", "number_out_of_range"), (2, "1e99999999999999999999", "number_out_of_range"),
        (2, "-1e100", "number_out_of_range"),
    ])
    func `with digits after the point, rounded half away from zero`(
        _ digits: Int, _ number: String, _ result: String
    ) throws {
        #expect(try value("${a | fixed(\(digits))}", "{\"a\":\(number)}") == result)
    }

    @Test(arguments: [
        (-2, "1999", "19.99"), (-2, "2000", "20.00"), (-2, "5", "0.05"), (-2, "0", "0.00"),
        (-2, "-1999", "-19.99"), (2, "19.99", "1999"), (2, "1.5", "150"), (2, "1.234", "123.4"),
        (3, "1.5e3", "1500000"), (-2, "1e3", "10"), (0, "1.50", "1.50"), (-1, "-0", "0.0"),
        (1, "0.05", "0.5"), (2, "0", "0"), (-2, "18446744073709551616", "184467440737095516.16"),
        (-30, "1", "0.000000000000000000000000000001"), (2, "1e999", "number_out_of_range"),
        (2, "1e-999", "number_out_of_range"), (30, "1e71", "number_out_of_range"),
    ])
    func `by moving the point`(_ locations: Int, _ number: String, _ result: String) throws {
        #expect(try value("${a | shift(\(locations))}", "{\"a\":\(number)}") == result)
    }

    @Test func `and are reported if they are out of range`() throws {
        let source = minimal.with(["payload": ["aps": ["alert": "${v | fixed(2)}"]]])
        let made = try notification("{\"token\":\"ab\",\"v\":1e999}", source)
        #expect(made.drop?.reason == .numberOutOfRange)
        #expect(
            made.drop?.detail.hasSuffix(
                "the result has more than 100 digits before or after the decimal point") == true)
    }

    @Test(arguments: [
        ("\"5\"", "5"), ("\"-1.50e3\"", "-1.50e3"), ("\"0\"", "0"), ("7", "7"),
        ("\"01\"", "wrong_type"), ("\"+1\"", "wrong_type"), ("\" 1\"", "wrong_type"),
        ("\"1.\"", "wrong_type"), ("\".5\"", "wrong_type"), ("\"1e\"", "wrong_type"),
        ("\"\"", "wrong_type"), ("\"-\"", "wrong_type"), ("\"0x10\"", "wrong_type"),
        ("\"1,5\"", "wrong_type"), ("\"NaN\"", "wrong_type"),
    ])
    func `from strings that are written like numbers`(_ text: String, _ result: String) throws {
        #expect(try value("${a | number}", "{\"a\":\(text)}") == result)
    }
}
