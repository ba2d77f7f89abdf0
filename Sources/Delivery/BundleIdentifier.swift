/// The syntax of an app's bundle identifier.
///
/// Source: Apple, *CFBundleIdentifier*: letters, digits, hyphens and periods.
public enum BundleIdentifier {
    /// True for a valid one without the suffix that a push type adds to form the `apns-topic`.
    public static func isValid(_ bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty, bytes.count <= 255 else { return false }
        for byte in bytes where !isCharacter(byte) { return false }
        return true
    }

    /// True for one, for the beginning of some with `*` after a period, and for `*`.
    public static func isPattern(_ bytes: [UInt8]) -> Bool {
        let star = UInt8(ascii: "*")
        guard bytes.last == star else { return isValid(bytes) }
        let beginning = bytes.dropLast()
        return beginning.isEmpty
            || beginning.last == UInt8(ascii: ".") && isValid(Array(beginning))
    }

    /// True for the identifier of passes or orders in Wallet, which take pushes with an empty
    /// payload.
    ///
    /// Source: Apple, *Updating a pass* and *Updating orders in Wallet*.
    public static func isOfWallet(_ bytes: [UInt8]) -> Bool {
        walletPrefixes.contains { bytes.starts(with: $0) }
    }

    /// What the identifiers of passes and of orders in Wallet begin with.
    public static let walletPrefixes = ["pass.", "order."].map { Array($0.utf8) }

    /// True for the topic of a device management server: the UID in the subject of its push
    /// certificate, such as `com.apple.mgmt.External.` and a UUID.
    ///
    /// Source: Apple, *Sending notification requests to APNs*, on the push type `mdm`.
    public static func isOfManagement(_ bytes: [UInt8]) -> Bool {
        // Almost no other identifier has the same two letters there.
        bytes.count > managementPrefix.count && bytes[4] == managementPrefix[4]
            && bytes[10] == managementPrefix[10] && bytes.starts(with: managementPrefix)
    }

    /// What the topics of device management servers begin with.
    public static let managementPrefix = Array("com.apple.mgmt.".utf8)

    /// The push type whose suffix it ends in; nil for none.
    public static func pushType(endingOf bytes: [UInt8]) -> PushType? {
        for type in PushType.allCases {
            let suffix = type.topicSuffix
            if !suffix.isEmpty, bytes.count > suffix.utf8.count,
                bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
            {
                return type
            }
        }
        return nil
    }

    private static func isCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
