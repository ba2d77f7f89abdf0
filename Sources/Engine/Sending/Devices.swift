internal import Delivery

/// What is known of single devices: which of them APNs throttles, how many pushes their rate
/// allows, and which are unregistered.
///
/// A device is a hash of its token; for unregistered ones a second hash, of its app, distinguishes
/// those with the same.
struct Devices: ~Copyable {
    private var rates: DeviceRates?
    private var throttled = ThrottledDevices()
    private var unregistered = UnregisteredDevices()
    /// Unregistered devices whose results Kafka does not have yet, each with the push that reports
    /// it.
    private var reports: [UnregisteredDevices.Device: PushID] = [:]

    /// With `rate`, the pushes to each device are limited.
    init(rate: RateLimit?) { rates = rate.map { DeviceRates($0) } }

    // MARK: Throttled devices and rates

    /// True when APNs throttles any.
    var areThrottled: Bool { !throttled.isEmpty }
    /// True when the pushes to each device are limited.
    var areLimited: Bool { rates != nil }

    /// APNs has received too many requests for a device.
    mutating func throttle(_ device: UInt64, until end: Instant, now: Instant) {
        throttled.pause(device, until: end, now: now)
    }

    /// Until when APNs throttles a device; nil when it does not.
    func throttleEnd(_ device: UInt64, now: Instant) -> Instant? {
        throttled.end(of: device, now: now)
    }

    /// Forgets the devices that are not throttled any more.
    mutating func forgetEnded(now: Instant) { throttled.forgetEnded(now: now) }

    /// When the rate of a device allows the next push; nil without such a rate.
    func next(_ device: UInt64) -> Instant? { rates?.next(device) }

    /// Counts a send against the rate of a device.
    mutating func sent(_ device: UInt64, now: Instant) { rates?.take(device, now: now) }

    // MARK: Unregistered devices

    /// True when any device is unregistered, or about to be.
    var areUnregistered: Bool { unregistered.count > 0 || isAnyReported }
    /// True when Kafka lacks the results about some device.
    var isAnyReported: Bool { !reports.isEmpty }
    /// The number of devices that are remembered.
    var unregisteredCount: Int { unregistered.count }

    /// The push that reports a device whose results Kafka does not have yet.
    func reporter(of device: UnregisteredDevices.Device) -> PushID? { reports[device] }

    /// A push reports a device.
    mutating func report(_ device: UnregisteredDevices.Device, by id: PushID) {
        reports[device] = id
    }

    /// A push reports its device no longer.
    mutating func endReport(_ device: UnregisteredDevices.Device, by id: PushID) {
        if reports[device] == id { reports[device] = nil }
    }

    /// Kafka has the results about a device.
    mutating func remember(_ device: UnregisteredDevices.Device, respondedAt: Instant) {
        unregistered.insert(device, respondedAt: respondedAt)
    }

    /// APNs has accepted a push to a device: what it said before does not count any more. `isKnown`
    /// says that the device is remembered.
    mutating func accepted(_ device: UnregisteredDevices.Device, isKnown: Bool, at now: Instant) {
        let wasReported = reports.removeValue(forKey: device) != nil
        if isKnown || wasReported { unregistered.accept(device, at: now) }
    }

    /// When APNs last reported a device; nil when it did not, or that has been forgotten. `check`
    /// computes the second hash, which is rarely needed.
    func respondedAt(_ key: UInt64, check: () -> UInt64) -> Instant? {
        unregistered.respondedAt(key, check: check)
    }
}
