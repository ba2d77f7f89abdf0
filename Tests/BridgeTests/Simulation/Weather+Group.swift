import BridgeTesting
import Delivery
import Encoding
import Engine

/// What happens to the members of the group, and how a world runs meanwhile.
extension Weather {
    /// How a worker ends.
    enum Ending {
        /// As by SIGKILL.
        case killed
        /// As by SIGTERM.
        case drained
        /// Another member has taken its group instance ID.
        case fenced
    }

    func draw<Element>(_ elements: [Element]) -> Element {
        elements[Int(chance.next() % UInt64(elements.count))]
    }

    /// Moves partitions from member to member, in time or too late.
    func scheduleGroupFaults() {
        for _ in 0..<chance.number(in: 0...8) {
            let all = Int32(world.topic.partitions.count)
            let some = (0..<all).filter { _ in chance.happens(50) }
            let number = Int(chance.next() % UInt64(world.seats.count))
            let kind = chance.number(in: 0...99)
            world.clock.schedule(at: chance.moment(until: Self.end)) { [unowned self] in
                guard let member = world.seats[number].member else { return }
                switch kind {
                case 0..<60: member.revoke(some)
                case 60..<75: takeAway(some, from: member, isAnnounced: true)
                case 75..<85: takeAway(some, from: member, isAnnounced: false)
                default:
                    rebalance(member, for: .milliseconds(chance.number(in: 1...10_000)))
                }
            }
        }
    }

    /// The group gives partitions of a member to another, which the one learns now or later.
    func takeAway(_ partitions: [Int32], from member: SeededMember, isAnnounced: Bool) {
        let mine = member.partitions.filter(partitions.contains)
        if isAnnounced {
            member.lose(mine)
        } else {
            world.oracle.allowTwoOwners(of: mine)
            member.fence(mine)
            world.clock.schedule(after: .milliseconds(chance.number(in: 1...5000))) {
                member.reportLoss()
            }
        }
        bringBack(mine)
    }

    /// The group rebalances for a while: until then, no commit is accepted.
    func rebalance(_ member: SeededMember, for length: Duration) {
        member.isJoining = true
        world.clock.schedule(after: length) { [unowned world] in
            member.isJoining = false
            world.clock.wake()
        }
    }

    /// Ends workers; each is started again.
    func scheduleEnds() {
        for number in world.seats.indices {
            for _ in 0..<chance.number(in: 0...5) / UInt64(world.seats.count) {
                let ending = draw([Ending.killed, .killed, .killed, .drained, .drained, .fenced])
                schedule(ending, of: number, at: chance.moment(until: Self.end))
            }
        }
    }

    /// Ends a worker, which is started again.
    func schedule(_ ending: Ending, of number: Int, at moment: Instant) {
        world.clock.schedule(at: moment) { [unowned self] in
            endings[number] = ending
            world.clock.wake()
        }
    }

    /// Assigns partitions, after a while, to a member of that time.
    func bringBack(_ partitions: [Int32]) {
        guard !partitions.isEmpty else { return }
        world.clock.schedule(after: .milliseconds(chance.number(in: 0...3000))) { [unowned self] in
            let members = world.seats.compactMap(\.member).filter { !$0.hasLeft }
            if members.isEmpty { return bringBack(partitions) }
            for partition in partitions { draw(members).assign([partition]) }
            assignmentTimes += partitions.map { _ in world.clock.now }
        }
    }

    /// Ends at the end what does not end by itself.
    func scheduleFairWeather() {
        world.clock.schedule(at: Self.end) { [unowned self] in
            world.network.forgetsAfter = nil
            world.habits.failingCommits = 0
            for seat in world.seats {
                seat.member?.habits.failingCommits = 0
                seat.member?.isJoining = false
            }
        }
    }

    // MARK: The run

    private func start(_ number: Int) throws {
        try world.start(number)
        world.seats[number].member?.onGivenUp = { [unowned self] in bringBack($0) }
    }

    /// Runs through the faults and what follows, until everything is committed.
    func run(seconds: Int = 800) throws {
        for number in world.seats.indices { try start(number) }
        bringBack((0..<Int32(world.topic.partitions.count)).map { $0 })
        let isOver = { [unowned world] in
            world.clock.now > Self.end && world.topic.isDone
                && world.seats.allSatisfy { $0.isRunning }
        }
        let isInterrupted = { [unowned self] in
            !endings.isEmpty || world.seats.contains { $0.hasEnded }
        }
        while world.oracle.mistakes.isEmpty, world.clock.now < .after(.seconds(seconds)) {
            world.run(seconds: seconds + 200) { isOver() || isInterrupted() }
            guard isInterrupted() else { return }
            for (number, seat) in world.seats.enumerated() where seat.hasEnded {
                try start(number)
            }
            for (number, ending) in endings.sorted(by: { $0.key < $1.key }) {
                try perform(ending, number)
            }
            endings = [:]
        }
    }

    private func perform(_ ending: Ending, _ number: Int) throws {
        switch ending {
        case .killed: try start(number)
        case .drained: drain(number)
        case .fenced:
            world.seats[number].member?.fail(
                KafkaFailure(code: "FENCED_INSTANCE_ID", detail: "scripted", isFatal: true))
        }
    }

    /// Stops a worker; it must end within its deadline.
    private func drain(_ number: Int) {
        world.drain(number)
        let member = world.seats[number].member
        let limit = world.settings.shutdownDeadline + .seconds(5)
        world.clock.schedule(after: limit) { [unowned world] in
            if member?.hasLeft == false { world.oracle.fail("a worker did not end in \(limit)") }
        }
    }
}
