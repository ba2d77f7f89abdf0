import Foundation
import Testing

@Suite(KerberosKafka.available, .serialized) struct `A bridge that logs in with Kerberos` {
    @Test func `delivers each push once, with the key in a keytab`() throws {
        let kafka = try KerberosKafka()
        defer { kafka.remove() }
        let world = try BridgeWorld(.real(kafka.kafka), partitions: 2, login: kafka.login)
        try world.publish(40)
        let doctor = try world.start("doctor", environment: kafka.environment)
        #expect(doctor.wait() == 0, "\(doctor.logged)")
        let bridge = try world.start(environment: kafka.environment)
        try world.waitUntilCommitted(40, while: bridge)
        #expect(bridge.terminate() == 0)
        let positions = try world.readOutcomes().map(\.position)
        #expect(positions.count == 40 && Set(positions).count == 40)
        #expect(!bridge.logged.contains("Kafka denied"), "\(bridge.logged)")
    }

    @Test func `says what Kerberos reports where its keytab is missing`() throws {
        let kafka = try KerberosKafka()
        defer { kafka.remove() }
        let login = kafka.login.filter { !$0.hasPrefix("sasl.kerberos.keytab") }
        let world = try BridgeWorld(.real(kafka.kafka), partitions: 1, login: login)
        let doctor = try world.start("doctor", environment: kafka.environment)
        #expect(doctor.wait() == 1)
        #expect(doctor.logged.contains("no connection to Kafka"), "\(doctor.logged)")
    }
}
