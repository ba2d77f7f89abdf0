import JSON
import Testing

@Suite struct `JSON that is laid out for people` {
    private func text(_ json: String, width: Int = 80) -> String? {
        JSONLayout.text(of: Array(json.utf8), width: width)
    }

    @Test func `is nil if the text is not valid JSON`() {
        #expect(text("{\"a\":") == nil)
    }

    @Test func `cannot steer a terminal`() {
        #expect(text("\"a\u{9B}31mb\u{7F}\"") == #""a\u009b31mb\u007f""#)
    }

    @Test func `stays on one line if it fits`() {
        #expect(
            text(#"{"a":[1,2.50,"x\ny"],"b":{},"c":null}"#)
                == #"{"a": [1, 2.50, "x\ny"], "b": {}, "c": null}"#)
    }

    @Test func `is broken if it does not fit, one member a line`() {
        let payload =
            #"{"aps":{"alert":{"title":"Order 7741 shipped","body":"Hi Ana"},"badge":3},"#
            + #""order_id":7741}"#
        let expected = """
            {"aps": {"alert": {"title": "Order 7741 shipped", "body": "Hi Ana"},
                     "badge": 3},
             "order_id": 7741}
            """
        #expect(text(payload) == expected)
    }

    @Test func `breaks arrays as well`() {
        #expect(text(#"{"a":[10,20,30]}"#, width: 12) == "{\"a\": [10,\n       20,\n       30]}")
    }
}
