import Configuration
import Testing

@Suite struct `The output of lint` {
    private let text = """
        # Tells customers where their order is.
        notification:
          device_token: ${customer.device.token}
          push_typ: alert
          collapse_id: order-${order.id}
          payload:
            aps:
              alert: {title: "Hi ${customer.name | uper}"}
              badge: 1
            text: Order #${order.id}
          ttl: 4h
        source: {topics: [shop.orders], group: apns-orders}
        kafka: {bootstrap.servers: "localhost:9092"}
        apns: {environment: production, key: "${env:KEY}", key_id: ABC123DEFG,
               team_id: DEF123GHIJ, bundle_id: com.example.shop}
        results: {outcomes: o, unregistered: u, dead_letter: d}
        """

    @Test func `has the position, line, caret and remedy of each mistake`() throws {
        let result = ConnectorFile.load(
            bytes: Array(text.utf8), path: "connectors/orders.yaml",
            environment: try Example.environment(), mode: .lint)
        let expected = """
            connectors/orders.yaml:4:3: error: unknown key 'push_typ' in notification
                  push_typ: alert
                  ^~~~~~~~
              did you mean 'push_type'?

            connectors/orders.yaml:8:44: error: unknown transform 'uper'
                      alert: {title: "Hi ${customer.name | uper}"}
                                                           ^~~~
              did you mean 'upper'?

            connectors/orders.yaml:10:17: error: '#${order.id}' is a YAML comment, not text
              quote the text: "Order #${order.id}"
            """
        #expect(Diagnostic.report(result.diagnostics) == expected)
        #expect(
            Diagnostic.summary(result.diagnostics, files: 1)
                == "1 file, 3 errors. Nothing was started.")
    }

    @Test(arguments: [
        (0, 0, 1, "1 file, 0 errors."), (0, 1, 1, "1 file, 1 warning."),
        (1, 2, 3, "3 files, 1 error, 2 warnings. Nothing was started."),
    ])
    func `ends with a count`(errors: Int, warnings: Int, files: Int, line: String) {
        let severities =
            Array(repeating: Diagnostic.Severity.error, count: errors)
            + Array(repeating: .warning, count: warnings)
        let diagnostics = severities.map {
            Diagnostic(file: "a", line: 1, column: 1, severity: $0, message: "m")
        }
        #expect(Diagnostic.summary(diagnostics, files: files) == line)
    }
}
