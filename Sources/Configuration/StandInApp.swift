internal import Delivery
internal import YAML

/// What stands for an app that is not known while a connector is checked.
enum StandInApp {
    /// A bundle identifier that the notifications of a connector may have.
    static func bundleID(_ settings: [String: Setting]) -> String {
        let blocks = [settings["notification"]?.node].compactMap(\.self)
            + (settings["notifications"]?.node.elements ?? [])
        let isOfManagement = blocks.contains { $0["push_type"]?.text == PushType.mdm.rawValue }
        guard isOfManagement else { return "com.example.unset" }
        return String(decoding: BundleIdentifier.managementPrefix, as: UTF8.self) + "unset"
    }
}
