internal import APNsSimulator
internal import Configuration
internal import Kafka
internal import TLS

/// A Kafka and an APNs inside this process, and a connector between them; nothing on disk.
struct DemoWorld: Sendable {
    static let source = "shop.orders"
    static let group = "apns-orders"
    static let outcomes = "apns.outcomes"
    static let unregistered = "apns.unregistered"
    static let deadLetter = "apns.dead-letter"
    static let partitions = 4

    let cluster: EmbeddedCluster
    let simulator: SimulatorServer
    let connector: Connector

    var properties: KafkaProperties {
        ["bootstrap.servers": cluster.bootstrapServers]
    }

    /// Starts both, and loads the connector.
    static func start() throws -> DemoWorld {
        let cluster = try EmbeddedCluster()
        for topic in [source, outcomes, unregistered, deadLetter] {
            try cluster.createTopic(topic, partitions: partitions)
        }
        let identity = try SimulatorIdentity.generate()
        let simulator = SimulatorServer(SimulatorConfiguration(identity: identity))
        let port = try simulator.start()
        let connector = try connector(cluster, identity, port)
        return DemoWorld(cluster: cluster, simulator: simulator, connector: connector)
    }

    private static func connector(
        _ cluster: EmbeddedCluster, _ identity: SimulatorIdentity, _ port: UInt16
    ) throws -> Connector {
        let environment = [
            "KAFKA_BOOTSTRAP": cluster.bootstrapServers,
            "APNS_ENDPOINT": "https://localhost:\(port)",
            "APNS_KEY": String(
                decoding: try identity.authenticationKey.privateKeyPEM, as: UTF8.self),
            "APNS_KEY_ID": identity.keyID, "APNS_TEAM_ID": identity.teamID,
        ]
        var connector = try BuiltInConnector.load(
            file, named: "orders.yaml", environment: environment)
        connector.apns.apps[0].endpoint.trustRoots = .pem(identity.authorityPEM)
        return connector
    }

    /// `connectors/orders.yaml`, adapted to this process; retries are quick, so that the
    /// demonstration is too.
    static let file = """
        source: {topics: [\(source)], group: \(group), start: earliest}
        kafka:
          bootstrap.servers: "${env:KAFKA_BOOTSTRAP}"
          session.timeout.ms: 6000
          heartbeat.interval.ms: 2000
          fetch.wait.max.ms: 5
        apns:
          endpoint: "${env:APNS_ENDPOINT}"
          environment: production
          key: "${env:APNS_KEY}"
          key_id: "${env:APNS_KEY_ID}"
          team_id: "${env:APNS_TEAM_ID}"
          bundle_id: com.example.shop
          connections: 2
        when: {type: [order.shipped, order.delivered]}
        notification:
          device_token: ${customer.device.token}
          push_type: alert
          collapse_id: order-${order.id}
          expiration: ${expires_at}
          payload:
            aps:
              alert: {title: "Order ${order.id} shipped", body: "Hi ${customer.name}"}
              badge: ${customer.unread ?? 0}
            order_id: ${order.id}
        results:
          outcomes: \(outcomes)
          unregistered: \(unregistered)
          dead_letter: \(deadLetter)
        delivery: {retry: {first: 50ms, longest: 1s}}
        """
}
