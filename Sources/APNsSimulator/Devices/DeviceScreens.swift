/// The journal positions of each device's latest pushes, and the order in which devices last
/// received one.
///
/// A table of slots linked by age, so that neither lookup nor eviction is a search.
struct DeviceScreens {
    struct Screen {
        var token: TokenBytes
        /// The journal position of the latest push; each push links to the previous one.
        fileprivate var latest: RequestJournal.Position = -1
        /// The total number of pushes.
        var received = 0
        fileprivate var newer = -1
        fileprivate var older = -1
    }

    private let limits: MemoryLimits
    private let journal: RequestJournal
    private var slots: [TokenBytes: Int] = [:]
    private var screens: [Screen] = []
    private var free: [Int] = []
    private var newest = -1
    private var oldest = -1
    /// The number of devices evicted.
    private(set) var forgotten = 0

    init(limits: MemoryLimits, journal: RequestJournal) {
        self.limits = limits
        self.journal = journal
    }

    var count: Int { slots.count }

    /// Adds a push to a device, which becomes the newest; returns its journal position.
    @discardableResult
    mutating func append(
        _ request: JudgedRequest, _ state: DevicePush.State, to token: TokenBytes
    ) -> RequestJournal.Position {
        let screen = touch(token)
        let slot = journal.append(request, state: state, previous: screens[screen].latest)
        screens[screen].latest = slot
        screens[screen].received += 1
        forgetGone()
        return slot
    }

    /// Evicts the devices without any push left in the journal.
    mutating func forgetGone() {
        while oldest >= 0, screens[oldest].latest < journal.start { forget(oldest) }
    }

    /// Changes the result of a push, if it is still recorded.
    mutating func settle(_ number: Int, of token: TokenBytes, as state: DevicePush.State) -> Bool {
        guard let slot = slots[token] else { return false }
        return journal.settle(
            number, from: screens[slot].latest, limit: limits.pushesPerDevice, as: state)
    }

    /// The recorded pushes of a device, oldest first.
    func pushes(of screen: Screen) -> [DevicePush] {
        var found: [DevicePush] = []
        var slot = screen.latest
        while found.count < min(screen.received, limits.pushesPerDevice),
            let (push, previous) = journal.push(at: slot)
        {
            found.append(push)
            slot = previous
        }
        return found.reversed()
    }

    func screen(of token: TokenBytes) -> Screen? { slots[token].map { screens[$0] } }

    /// The devices that last received a push, newest first.
    func latest(_ limit: Int) -> [TokenBytes] {
        var found: [TokenBytes] = []
        var slot = newest
        while slot >= 0, found.count < limit {
            found.append(screens[slot].token)
            slot = screens[slot].older
        }
        return found
    }

    /// Moves a device's pushes to another token, replacing that token's own.
    mutating func move(_ token: TokenBytes, to other: TokenBytes) {
        guard token != other, let slot = slots[token] else { return }
        if let taken = slots[other] { remove(taken) }
        slots[token] = nil
        slots[other] = slot
        screens[slot].token = other
    }

    /// The slot of a device, created if necessary, as the newest.
    private mutating func touch(_ token: TokenBytes) -> Int {
        if let slot = slots[token] {
            if slot != newest {
                unlink(slot)
                link(slot)
            }
            return slot
        }
        if slots.count >= limits.devices { forget(oldest) }
        let slot = vacantSlot(token)
        slots[token] = slot
        link(slot)
        return slot
    }

    /// A free slot, created if necessary.
    private mutating func vacantSlot(_ token: TokenBytes) -> Int {
        if let slot = free.popLast() {
            screens[slot] = Screen(token: token)
            return slot
        }
        screens.append(Screen(token: token))
        return screens.count - 1
    }

    private mutating func forget(_ slot: Int) {
        remove(slot)
        forgotten += 1
    }

    private mutating func remove(_ slot: Int) {
        unlink(slot)
        slots[screens[slot].token] = nil
        free.append(slot)
    }

    private mutating func link(_ slot: Int) {
        screens[slot].older = newest
        screens[slot].newer = -1
        if newest >= 0 { screens[newest].newer = slot }
        newest = slot
        if oldest < 0 { oldest = slot }
    }

    private mutating func unlink(_ slot: Int) {
        let (newer, older) = (screens[slot].newer, screens[slot].older)
        if newer >= 0 { screens[newer].older = older } else { newest = older }
        if older >= 0 { screens[older].newer = newer } else { oldest = newer }
    }
}
