import Contracts
import Delivery
import LegacyProviders
import Testing

@Suite struct `An unregistered record that a release has published` {
    @Test(arguments: Contract.having("records/unregistered.json"))
    func `is feedback for a legacy provider`(contract: Contract) throws {
        let record = try PublishedRecord("unregistered", of: contract).record
        let app = EventWriter.App(
            name: "shop", bundleID: "com.example.shop", environment: "production")
        var reader = FeedbackReader()
        let finding = reader.finding(in: record.value, at: nil, for: app)
        let token: [UInt8] = [0xAB, 0x01] + [UInt8](repeating: 0, count: 30)
        let expected = FeedbackTuple(time: 1_767_261_500, deviceToken: token)
        let message = contract.broken("records/unregistered.json is read as \(finding)")
        #expect(finding == .tuple(expected), "\(message)")
    }
}
