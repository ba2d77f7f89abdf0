extension SimulatorServer {
    /// What is known about a device; nil when nothing was ever sent or said to it.
    public func device(_ token: String) throws(DeviceFault) -> Device? {
        guard let memory else { return nil }
        return try memory.device(token, at: memory.now)
    }

    /// What a device's screen shows now, the newest first; nothing for one that got no push.
    public func notifications(on token: String) throws(DeviceFault) -> [ShownNotification] {
        try device(token)?.lockScreen.notifications ?? []
    }

    /// Does something to a device now.
    public func tell(_ token: String, _ order: DeviceOrder) throws(DeviceFault) {
        guard let memory else { return }
        try memory.obey(order, token: token, at: memory.now)
    }
}
