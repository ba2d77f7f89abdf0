/// A push that a device was sent, and what happened to it.
public struct DevicePush: Sendable {
    /// What became of a push.
    public enum Fate: Equatable, Sendable {
        /// The device got it at that moment, in milliseconds since 1970.
        case delivered(at: Int64)
        /// It waits for the device to come back.
        case stored
        /// It waited, and a newer one for the same app took its place.
        case replaced
        /// It waited until it was too late.
        case expired
        /// The device was away, and the push was not to be stored.
        case notStored
    }

    /// The request that brought it.
    public let request: JudgedRequest
    /// What became of it.
    public internal(set) var fate: Fate
}
