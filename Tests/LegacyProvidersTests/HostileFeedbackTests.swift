import Configuration
import Delivery
import Kafka
import Testing

@testable import LegacyProviders

/// Somebody else writes to the unregistered topic: a provider deletes the devices that are reported
/// of.
@Suite struct `A forged unregistered record` {
    private static let keys = SealKeys(keys: [Array("0123456789abcdef".utf8)])
    private static let others = SealKeys(keys: [Array("fedcba9876543210".utf8)])
    private static let value =
        #"{"device_token":"00ff","bundle_id":"com.example.shop","environment":"production","#
        + #""reason":"Unregistered","timestamp":1767225600999}"#

    private func record(sealedBy seal: SealKeys?, _ value: String? = value) -> StoredRecord {
        let key = Array("com.example.shop/00ff".utf8)
        let bytes = value.map { Array($0.utf8) }
        var headers: [StoredRecord.Header] = [("ce_id", Array("1".utf8))]
        if let seal {
            headers.append(seal.seal(.unregistered, key: key, value: bytes, headers: headers))
        }
        return StoredRecord(
            partition: 0, offset: 3, timestamp: 5000, key: key, value: bytes, headers: headers)
    }

    private func finding(
        _ record: StoredRecord, _ seal: SealKeys? = keys
    ) -> FeedbackReader.Finding {
        var reader = FeedbackReader()
        let app = EventWriter.App(
            name: "shop", bundleID: "com.example.shop", environment: "production")
        return reader.finding(in: record, for: app, sealedBy: seal)
    }

    private let tuple = FeedbackReader.Finding.tuple(
        FeedbackTuple(time: 1_767_225_600, deviceToken: [0, 255]))

    @Test func `reports no device`() {
        #expect(finding(record(sealedBy: nil)) == .unsealed)
        #expect(finding(record(sealedBy: Self.others)) == .unsealed)
        var changed = record(sealedBy: Self.keys)
        changed.value = Array(Self.value.replacing("00ff", with: "01ff").utf8)
        #expect(finding(changed) == .unsealed)
        changed = record(sealedBy: Self.keys)
        changed.key = nil
        #expect(finding(changed) == .unsealed)
        changed = record(sealedBy: Self.keys)
        changed.headers.append(("more", nil))
        #expect(finding(changed) == .unsealed)
    }

    @Test func `is distinguished from one of a bridge, also by the next key, and a deleted one`() {
        #expect(finding(record(sealedBy: Self.keys)) == tuple)
        let both = SealKeys(keys: [
            Array("fedcba9876543210".utf8), Array("0123456789abcdef".utf8),
        ])
        #expect(finding(record(sealedBy: Self.keys), both) == tuple)
        #expect(finding(record(sealedBy: Self.others), both) == tuple)
        #expect(finding(record(sealedBy: nil, nil)) == .none)
        #expect(finding(record(sealedBy: nil), nil) == tuple)
    }

    @Test func `is believed if a broker stored it before there were seals`() {
        func keys(since time: Int64) -> SealKeys {
            SealKeys(keys: [Array("0123456789abcdef".utf8)], since: time)
        }
        func stored(_ seal: SealKeys?) -> StoredRecord {
            var record = record(sealedBy: seal)
            record.isLogAppendTime = true
            return record
        }
        #expect(finding(stored(nil), keys(since: 5001)) == tuple)
        #expect(finding(stored(nil), keys(since: 5000)) == .unsealed)
        #expect(finding(stored(Self.others), keys(since: 5001)) == .unsealed)
        // Its writer can choose any other time.
        #expect(finding(record(sealedBy: nil), keys(since: 5001)) == .unsealed)
        var timeless = stored(nil)
        timeless.timestamp = nil
        #expect(finding(timeless, keys(since: 5001)) == .unsealed)
    }
}
