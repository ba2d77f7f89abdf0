/// The reason of a `dropped` outcome.
///
/// The article *Why pushes are dropped* is the table of these cases; a test compares the two.
public enum DropReason: String, CaseIterable, Sendable {
    /// The value of the record is null.
    case tombstone
    /// The value of the record is not valid JSON, or not a record of its schema.
    case unparsable
    /// The registry has not known the schema of the record for five minutes.
    case unknownSchema = "unknown_schema"
    /// The value of the record exceeds the maximum size of an event.
    case recordTooLarge = "record_too_large"
    /// Mapping the record would cost more than a record may.
    case tooExpensive = "too_expensive"
    /// A field that the push needs is absent.
    case missingField = "missing_field"
    /// A field has the wrong JSON type.
    case wrongType = "wrong_type"
    /// The device token is not an even number of hexadecimal digits.
    case invalidDeviceToken = "invalid_device_token"
    /// The channel ID is not valid Base64.
    case invalidChannelID = "invalid_channel_id"
    /// The record contains more device tokens than a record may.
    case tooManyDeviceTokens = "too_many_device_tokens"
    /// The bundle identifier is empty or not valid.
    case invalidBundleID = "invalid_bundle_id"
    /// The event names a bundle identifier that the connector does not allow.
    case bundleIDNotAllowed = "bundle_id_not_allowed"
    /// The event is for another environment than the connector's.
    case wrongEnvironment = "wrong_environment"
    /// The event is for no app of the connector, or for more than one.
    case unknownApp = "unknown_app"
    /// The push type is not one of Apple's, or not for this bundle identifier.
    case invalidPushType = "invalid_push_type"
    /// The priority is not 10, 5 or 1, or not valid for the push type.
    case invalidPriority = "invalid_priority"
    /// A background push asks for a priority other than 5.
    case backgroundPriority = "background_priority"
    /// The collapse ID is not 1 to 64 bytes of printable ASCII.
    case invalidCollapseID = "invalid_collapse_id"
    /// The expiration is not a valid time.
    case invalidExpiration = "invalid_expiration"
    /// The event time is not a valid time.
    case invalidEventTime = "invalid_event_time"
    /// A time in the payload is in milliseconds instead of seconds.
    case invalidTimestamp = "invalid_timestamp"
    /// The event's `apns_id` is not a valid UUID.
    case invalidID = "invalid_apns_id"
    /// An alert push displays nothing, and has neither badge nor sound.
    case alertEmpty = "alert_empty"
    /// The payload violates a rule of its push type.
    case payloadRule = "payload_rule"
    /// The payload is larger than its push type allows.
    case payloadTooLarge = "payload_too_large"
    /// Arithmetic exceeds the supported digits, or a time is out of range.
    case numberOutOfRange = "number_out_of_range"
    /// The event contains an unknown time zone.
    case badZone = "bad_zone"
    /// A field contains characters that HTTP does not allow, so that no request can be written.
    case unsendable = "unsendable_field"
    /// The client certificate does not cover the app, or not this push type for it.
    case notInCertificate = "bundle_id_not_in_certificate"
    /// APNs never responded before the push was given up, and no attempt is in doubt.
    case unreachable
    /// A record in the retry or replay topic does not say what to send again.
    case damagedRetry = "damaged_retry"
    /// The worker crashed each time it processed the record.
    case crashed
    /// APNs has reported the device token as unregistered since the event happened.
    case unregistered = "remembered_unregistered"
    /// A newer push with the same collapse ID, or for the same Live Activity, has been sent to the
    /// device since or, with `delivery.supersede: backlog`, been read.
    case superseded
    /// The same device token occurs earlier in the record.
    case duplicate
    /// The list of `for_each` is empty.
    case noDevices = "no_devices"
    /// The expiration or the time to live has passed.
    case expired
    /// `when` did not match, and `results.filtered` requests an outcome nevertheless.
    case filtered

    /// False where the record is valid: it only came too late, was replaced, was a duplicate, was
    /// excluded, had no one to push to, or its device is gone.
    public var leavesDeadLetter: Bool {
        switch self {
        case .expired, .superseded, .duplicate, .filtered, .noDevices, .unregistered: false
        default: true
        }
    }
}
