/// A push sent to a device, and its result.
public struct DevicePush: Sendable {
    /// The result of a push.
    public enum State: Equatable, Sendable {
        /// It was delivered at this time, in milliseconds since 1970.
        case delivered(at: Int64)
        /// It is stored until the device goes online.
        case stored
        /// It was stored, and a newer one for the same app replaced it.
        case replaced
        /// It was stored until it expired.
        case expired
        /// The device was offline, and the push was not to be stored.
        case notStored
    }

    /// The request that contained it.
    public let request: JudgedRequest
    /// Its result.
    public internal(set) var state: State
}
