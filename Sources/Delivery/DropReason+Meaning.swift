extension DropReason {
    /// What it means, as the article *Why pushes are dropped* says it.
    public var meaning: String {
        switch self {
        case .tombstone:
            "The value of the record is null, and `when` does not filter it with "
                + "`\"@value\": [null]`."
        case .unparsable:
            "The value of the record is not valid JSON, or not a record of its schema."
        case .unknownSchema:
            "The schema registry has not known the schema of the record for five minutes."
        case .recordTooLarge: "The value of the record is larger than an event may be."
        case .tooExpensive: "Mapping the record would transform more than 16 MiB."
        case .missingField: "A field that the push needs is absent."
        case .wrongType: "A field has the wrong JSON type."
        case .invalidDeviceToken:
            "The device token is not an even number of hexadecimal digits, or there is a second"
                + " destination."
        case .invalidChannelID: "The ID of the broadcast channel is not valid Base64."
        case .tooManyDeviceTokens: "The record has more than 1,000 device tokens."
        case .invalidBundleID: "The bundle identifier is empty or not valid."
        case .bundleIDNotAllowed:
            "The event names a bundle identifier that neither is the connector's nor is in "
                + "`apns.allowed_bundle_ids`."
        case .wrongEnvironment: "The event's environment differs from the connector's."
        case .unknownApp: "The event matches no app of the connector, or more than one."
        case .invalidPushType:
            "The push type is not one of Apple's, or not for this bundle identifier."
        case .invalidPriority: "The priority is not 10, 5 or 1, or not valid for the push type."
        case .backgroundPriority: "A background push has a priority other than 5."
        case .invalidCollapseID: "The collapse ID is not 1 to 64 bytes of printable ASCII."
        case .invalidExpiration: "The expiration is not a valid time."
        case .invalidEventTime: "The event time is not a valid time."
        case .invalidTimestamp:
            "A time in the payload, or the duration of `stale_after`, is not valid."
        case .invalidID: "The event's own apns_id is not a valid UUID."
        case .alertEmpty: "An alert push displays nothing and has neither badge nor sound."
        case .payloadRule: "The payload breaks a rule of its push type."
        case .payloadTooLarge: "The payload is larger than its push type allows."
        case .numberOutOfRange:
            "A transform's result has too many digits, or a time is out of range."
        case .badZone: "The event names a time zone that the machine does not know."
        case .unsendable: "A field contains characters that HTTP does not allow."
        case .notInCertificate:
            "The client certificate is not for the app, or not for this type of push to "
                + "it."
        case .unreachable:
            "APNs never responded before the push was given up, and nothing is in doubt."
        case .damagedRetry: "A record of the retry or replay topic has damaged headers."
        case .crashed: "The worker crashed each time it processed the record, which was not sent."
        case .unregistered:
            "Apple has unregistered the device token since the event happened, and this "
                + "worker remembers it."
        case .superseded:
            "A newer push to the device, with the same collapse ID or for the same Live Activity, "
                + "was sent or read while this one waited."
        case .duplicate: "The same device token, or channel, appears earlier in the record."
        case .noDevices: "The list of `for_each` or of `device_tokens` is empty."
        case .expired: "The expiration, or the time to live, has passed."
        case .filtered: "`when` did not match, and `results.filtered` requests an outcome."
        }
    }
}
