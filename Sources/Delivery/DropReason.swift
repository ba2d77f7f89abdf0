/// The reason of a `dropped` outcome.
///
/// The article *Why pushes are dropped* is the table of these cases; a test compares the two.
public enum DropReason: String, CaseIterable, Sendable {
    /// The value of the record is null.
    case tombstone
    /// The value of the record is not valid JSON.
    case unparsable
    /// The value of the record is larger than an event may be.
    case recordTooLarge = "record_too_large"
    /// A field that the push needs is absent.
    case missingField = "missing_field"
    /// A field has the wrong JSON type.
    case wrongType = "wrong_type"
    /// The device token is not an even number of hexadecimal digits.
    case invalidDeviceToken = "invalid_device_token"
    /// The record names more device tokens than one record may.
    case tooManyDeviceTokens = "too_many_device_tokens"
    /// The bundle identifier is empty or not valid.
    case invalidBundleID = "invalid_bundle_id"
    /// The event is for another environment than the connector's.
    case wrongEnvironment = "wrong_environment"
    /// The event is for no app of the connector, or for more than one.
    case unknownApp = "unknown_app"
    /// The push type is not one of Apple's.
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
    /// A time in the payload is in milliseconds where Apple wants seconds.
    case invalidTimestamp = "invalid_timestamp"
    /// The event's own apns_id is not a valid UUID.
    case invalidID = "invalid_apns_id"
    /// An alert push has neither alert nor badge nor sound.
    case alertEmpty = "alert_empty"
    /// The payload breaks a rule of its push type.
    case payloadRule = "payload_rule"
    /// The payload is larger than its push type allows.
    case payloadTooLarge = "payload_too_large"
    /// Arithmetic needs more digits than are kept, or a time is out of range.
    case numberOutOfRange = "number_out_of_range"
    /// The event names a time zone that the machine does not know.
    case badZone = "bad_zone"
    /// A field holds what no HTTP field may, so that no request can be written.
    case unsendable = "unsendable_field"
    /// The client certificate is not for the app, or not for this type of push to it.
    case notInCertificate = "bundle_id_not_in_certificate"
    /// APNs never responded before the push was given up, and nothing is in doubt.
    case unreachable
    /// A record of the retry topic does not say what is to be sent again.
    case damagedRetry = "damaged_retry"
    /// The same device token stands in the record before.
    case duplicate
    /// The expiration, or the time to live, has passed.
    case expired
    /// `when` did not match, and `results.filtered` asks for an outcome all the same.
    case filtered

    /// False where nothing is wrong with the record: it only came too late, twice, or was excluded.
    public var leavesDeadLetter: Bool {
        switch self {
        case .expired, .duplicate, .filtered: false
        default: true
        }
    }
}
