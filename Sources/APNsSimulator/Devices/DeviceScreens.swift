/// Where the latest pushes of each device are written down, and which device was pushed to the
/// longest time ago.
///
/// A table of slots chained by age, so that neither finding nor forgetting one is a search.
struct DeviceScreens {
    struct Screen {
        var token: DeviceToken
        /// The place of the latest push in the journal; from it one leads to the push before.
        fileprivate var latest: RequestJournal.Place = -1
        /// How many pushes there have ever been.
        var received = 0
        fileprivate var newer = -1
        fileprivate var older = -1
    }

    private let limits: MemoryLimits
    private let journal: RequestJournal
    private var places: [DeviceToken: Int] = [:]
    private var screens: [Screen] = []
    private var free: [Int] = []
    private var newest = -1
    private var oldest = -1
    /// How many devices were forgotten to make room.
    private(set) var forgotten = 0

    init(limits: MemoryLimits, journal: RequestJournal) {
        self.limits = limits
        self.journal = journal
    }

    var count: Int { places.count }

    /// Adds a push to a device, which becomes the newest; answers where it is written down.
    @discardableResult
    mutating func append(
        _ request: JudgedRequest, _ fate: DevicePush.Fate, to token: DeviceToken
    ) -> RequestJournal.Place {
        let screen = touch(token)
        let place = journal.append(request, fate: fate, previous: screens[screen].latest)
        screens[screen].latest = place
        screens[screen].received += 1
        forgetGone()
        return place
    }

    /// Forgets the devices of which the journal holds no push any more.
    mutating func forgetGone() {
        while oldest >= 0, screens[oldest].latest < journal.start { forget(oldest) }
    }

    /// Changes what happened to a push, if it is remembered.
    mutating func settle(_ number: Int, of token: DeviceToken, as fate: DevicePush.Fate) -> Bool {
        guard let place = places[token] else { return false }
        return journal.settle(
            number, from: screens[place].latest, limit: limits.pushesPerDevice, as: fate)
    }

    /// The pushes of a device that are remembered, the oldest first.
    func pushes(of screen: Screen) -> [DevicePush] {
        var found: [DevicePush] = []
        var place = screen.latest
        while found.count < min(screen.received, limits.pushesPerDevice),
            let (push, previous) = journal.push(at: place)
        {
            found.append(push)
            place = previous
        }
        return found.reversed()
    }

    func screen(of token: DeviceToken) -> Screen? { places[token].map { screens[$0] } }

    /// The devices that were pushed to last, the newest first.
    func latest(_ limit: Int) -> [DeviceToken] {
        var found: [DeviceToken] = []
        var place = newest
        while place >= 0, found.count < limit {
            found.append(screens[place].token)
            place = screens[place].older
        }
        return found
    }

    /// Gives what one device has shown to another token, whose own is forgotten.
    mutating func move(_ token: DeviceToken, to other: DeviceToken) {
        guard token != other, let place = places[token] else { return }
        if let taken = places[other] { remove(taken) }
        places[token] = nil
        places[other] = place
        screens[place].token = other
    }

    /// The place of a device, made if there is none, as the newest.
    private mutating func touch(_ token: DeviceToken) -> Int {
        if let place = places[token] {
            if place != newest {
                unlink(place)
                link(place)
            }
            return place
        }
        if places.count >= limits.devices { forget(oldest) }
        let place = vacantPlace(token)
        places[token] = place
        link(place)
        return place
    }

    /// A slot that nobody uses, made if there is none.
    private mutating func vacantPlace(_ token: DeviceToken) -> Int {
        if let place = free.popLast() {
            screens[place] = Screen(token: token)
            return place
        }
        screens.append(Screen(token: token))
        return screens.count - 1
    }

    private mutating func forget(_ place: Int) {
        remove(place)
        forgotten += 1
    }

    private mutating func remove(_ place: Int) {
        unlink(place)
        places[screens[place].token] = nil
        free.append(place)
    }

    private mutating func link(_ place: Int) {
        screens[place].older = newest
        screens[place].newer = -1
        if newest >= 0 { screens[newest].newer = place }
        newest = place
        if oldest < 0 { oldest = place }
    }

    private mutating func unlink(_ place: Int) {
        let (newer, older) = (screens[place].newer, screens[place].older)
        if newer >= 0 { screens[newer].older = older } else { newest = older }
        if older >= 0 { screens[older].newer = newer } else { oldest = newer }
    }
}
