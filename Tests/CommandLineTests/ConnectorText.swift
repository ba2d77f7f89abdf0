/// The text of connector files.
enum ConnectorText {
    /// A connector whose key is in a file beside it, with more text at the end of its notification.
    static func orders(
        kafka: String = #"kafka: {bootstrap.servers: "localhost:9092"}"#, _ more: String
    ) -> String {
        """
        source: {topics: [shop.orders], group: apns-orders}
        \(kafka)
        apns:
          environment: production
          key: ${file:AuthKey.p8}
          key_id: ABC123DEFG
          team_id: DEF123GHIJ
          bundle_id: com.example.shop
        results: {outcomes: apns.outcomes, unregistered: apns.gone, dead_letter: apns.dead}
        notification:
          device_token: ${token}
          payload: {aps: {badge: 1}}
        \(more)
        """
    }
}
