/// Holds one connection, so that a list can.
final class ConnectionBox {
    var connection: APNsConnection

    init(_ connection: consuming APNsConnection) { self.connection = connection }
}
