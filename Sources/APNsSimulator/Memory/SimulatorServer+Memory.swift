internal import Telemetry

extension SimulatorServer {
    /// What is known about a device; nil when nothing was ever sent or said to it.
    public func device(_ token: String) throws(DeviceFault) -> Device? {
        try memory?.device(token, at: Timestamp.now())
    }

    /// What a device's screen shows now, the newest first; nothing for one that got no push.
    public func notifications(on token: String) throws(DeviceFault) -> [ShownNotification] {
        try device(token)?.lockScreen.notifications ?? []
    }

    /// Does something to a device now.
    public func tell(_ token: String, _ order: DeviceOrder) throws(DeviceFault) {
        try memory?.obey(order, token: token, at: Timestamp.now())
    }
}
