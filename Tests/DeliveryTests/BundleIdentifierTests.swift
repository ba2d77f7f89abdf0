import Delivery
import Testing

@Suite struct `A bundle identifier` {
    @Test(arguments: [
        "", "com example", "com.example_shop", "com.example.café", "com/example",
        "a\r\nb: c", String(repeating: "a", count: 256),
    ])
    func `has letters, digits, hyphens and periods only`(text: String) {
        #expect(!BundleIdentifier.isValid(Array(text.utf8)))
    }

    @Test(arguments: PushType.allCases.filter { !$0.topicSuffix.isEmpty })
    func `may have a suffix that a push type appends`(type: PushType) {
        let bytes = Array("com.example.shop\(type.topicSuffix)".utf8)
        #expect(BundleIdentifier.pushType(endingOf: bytes)?.topicSuffix == type.topicSuffix)
        #expect(BundleIdentifier.isValid(bytes))
    }

    @Test(arguments: [
        "com.example.shop", "com.example.shop.Clip", "COM.Example-1", "com.example.voipshop",
        "com.apple.mgmt.External.3b1d2c04-9a0b-4d5f-8f43-0a9fd5b2d6f1", "voip",
    ])
    func `may otherwise be any string`(text: String) {
        #expect(BundleIdentifier.isValid(Array(text.utf8)))
    }
}
