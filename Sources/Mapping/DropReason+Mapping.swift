public import Delivery

extension DropReason {
    /// The event time is no time.
    public static let invalidEventTime = Self(rawValue: "invalid_event_time")
    /// A time in the payload is in milliseconds where Apple wants seconds.
    public static let invalidTimestamp = Self(rawValue: "invalid_timestamp")
    /// A background push asks for a priority other than 5.
    public static let backgroundPriority = Self(rawValue: "background_priority")
    /// An alert push has neither alert nor badge nor sound.
    public static let alertEmpty = Self(rawValue: "alert_empty")
    /// The payload lacks or holds something against a rule of its push type.
    public static let payloadRule = Self(rawValue: "payload_rule")
    /// The event is for another environment than the connector's.
    public static let wrongEnvironment = Self(rawValue: "wrong_environment")
    /// The event is for no app of the connector, or one of several cannot be told.
    public static let unknownApp = Self(rawValue: "unknown_app")
    /// One record names more device tokens than one record may.
    public static let tooManyDeviceTokens = Self(rawValue: "too_many_device_tokens")
    /// Arithmetic would need more digits than are kept, or a time is out of range.
    public static let numberOutOfRange = Self(rawValue: "number_out_of_range")
    /// An event names a time zone that the machine does not know.
    public static let badZone = Self(rawValue: "bad_zone")
}
