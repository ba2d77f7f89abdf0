import Telemetry
import Testing

@Suite struct `A line of the log` {
    let sink = LinesSink()

    @Test func `cannot be broken in two by external data`() {
        sink.logger().info("peer said\n2026 error", metadata: ["name": "a\r\nb\u{1B}[31m"])
        #expect(
            sink.lines == [
                "2026-01-01T10:00:00.123Z info peer said\\n2026 error "
                    + "name=\"a\\r\\nb\\u001b[31m\"\n"
            ])
    }

    @Test func `quotes a value that is not a single word`() {
        sink.logger().info("m", metadata: ["a": "x y", "b": "", "c": "k=v", "d": "say \"hi\""])
        #expect(sink.lines.first?.contains(#"a="x y" b="" c="k=v" d="say \"hi\"""#) == true)
    }

    @Test func `is one JSON object when asked`() {
        sink.logger(format: .json).warning(
            "said \"no\"", metadata: ["status": 503, "after": 1.5, "retried": true, "host": "a\tb"])
        #expect(
            sink.lines == [
                #"{"timestamp":"2026-01-01T10:00:00.123Z","level":"warning","label":"worker","#
                    + #""message":"said \"no\"","after":1.5,"host":"a\tb","retried":true,"#
                    + #""status":503}"# + "\n"
            ])
    }

    @Test func `has arrays and objects in JSON, and words in text`() {
        let metadata: Logger.Metadata = [
            "apps": .strings(["shop", "pay \"x\""]), "none": .strings([]),
            "reasons": .dictionary(["Unregistered": 3, "other": 1]),
        ]
        sink.logger(format: .json).info("m", metadata: metadata)
        #expect(
            sink.lines[0].hasSuffix(
                #""message":"m","apps":["shop","pay \"x\""],"none":[],"#
                    + #""reasons":{"Unregistered":3,"other":1}}"# + "\n"))
        sink.logger().info("m", metadata: metadata)
        #expect(
            sink.lines[1].hasSuffix(
                #" m apps="shop pay \"x\"" none="" reasons="Unregistered=3 other=1""# + "\n"))
    }

    @Test func `has no duplicate names in JSON`() {
        sink.logger(format: .json).info("m", metadata: ["message": "x"])
        #expect(sink.lines.first?.contains(#""message":"m","message_":"x""#) == true)
    }

    @Test func `writes numbers that JSON does not know as text`() {
        sink.logger(format: .json).info("m", metadata: ["rate": .double(.infinity)])
        #expect(sink.lines.first?.contains(#""rate":"inf""#) == true)
    }

    @Test func `is omitted below the level and not even built`() {
        var wasMade = false
        func message() -> String {
            wasMade = true
            return "m"
        }
        sink.logger(level: .notice).info(message())
        #expect(sink.lines.isEmpty)
        #expect(!wasMade)
    }

    @Test func `carries what the logger carries and lets the call win`() {
        var logger = sink.logger()
        logger[metadataKey: "worker"] = 1
        logger[metadataKey: "topic"] = "orders"
        logger.error("m", metadata: ["worker": 2])
        #expect(sink.lines == ["2026-01-01T10:00:00.123Z error m topic=orders worker=2\n"])
    }

    @Test func `has a level named as in swift-log`() {
        let logger = sink.logger(level: .trace)
        logger.trace("m")
        logger.debug("m")
        logger.info("m")
        logger.notice("m")
        logger.warning("m")
        logger.error("m")
        logger.critical("m")
        let message = sink.lines.map { $0.split(separator: " ")[1] }
        #expect(message == ["trace", "debug", "info", "notice", "warning", "error", "critical"])
    }

    @Test func `that cannot be written does no harm`() {
        let sink = DescriptorSink(descriptor: -1)
        Logger(label: "x", sink: sink).info("m")
        #expect(sink.writeAll([1]) != 0)
    }

    @Test func `accepts whole numbers of any width`() {
        #expect(MetadataValue.number(UInt8(7)) == .integer(7))
        #expect(MetadataValue.number(UInt64.max) == "18446744073709551615")
    }
}
