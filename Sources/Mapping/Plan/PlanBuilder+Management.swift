internal import Delivery

extension PlanBuilder {
    /// Refuses `mdm` for apps, and everything else for a device management server, where the file
    /// says both.
    mutating func checkBundleID(suits pushType: MappingMember?, at location: MappingLocation) {
        guard let type = block.fields.fixedPushType, !block.fields.isBundleIDOfEvent,
            !bundleIDs.contains(where: { type.suits(bundleID: $0) })
        else { return }
        let name = String(decoding: bundleIDs[0], as: UTF8.self)
        let location = pushType?.value.location ?? location
        // What the payload breaks follows from that.
        block.fields.fixedPushType = nil
        guard type != .mdm else {
            return error(
                location,
                "'push_type' cannot be 'mdm': '\(name)' is not a device management server",
                "write certificate: mdm.p12 in 'apns', the server's push certificate, in place of"
                    + " key, key_id, team_id and bundle_id")
        }
        error(
            location, "'push_type' must be mdm: '\(name)' is a device management server",
            "write push_type: mdm and payload: {mdm: \"${push_magic}\"}")
    }

    /// The bundle identifiers that the file gives to the pushes of the block.
    private var bundleIDs: [[UInt8]] {
        if let own = block.ownBundleID { return [own] }
        return plan.apps.apps.isEmpty ? [plan.defaultBundleID] : plan.apps.apps.map(\.bundleID)
    }
}
