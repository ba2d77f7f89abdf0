extension SimulatorServer {
    /// The state of a device; nil when it has received neither pushes nor orders.
    public func device(_ token: String) throws(DeviceFault) -> Device? {
        guard let memory else { return nil }
        return try memory.device(token, at: memory.now)
    }

    /// The notifications on a device's screen, newest first; empty for one without pushes.
    public func notifications(on token: String) throws(DeviceFault) -> [ShownNotification] {
        try device(token)?.lockScreen.notifications ?? []
    }

    /// Carries out an order to a device now.
    public func report(_ token: String, _ order: DeviceOrder) throws(DeviceFault) {
        guard let memory else { return }
        try memory.apply(order, token: token, at: memory.now)
    }
}
