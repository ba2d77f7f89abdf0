import BridgeSamples
import BridgeTesting
import Delivery
import Engine

@testable import Bridge

/// A record of which every worker dies: when it has taken it, or when it has sent it.
struct DeadlyRecord {
    var partition: Int32
    var offset: Int64
    /// When it was written: the log may be replaced, and another record have its place.
    var timestamp: Int64
    var diesWhenSent: Bool
    /// How many workers have died of it.
    var deaths = 0
}

extension Weather {
    /// Writes a deadly record, in some worlds. It has a generator of its own, so that the other
    /// faults of a seed stay what they were.
    func scheduleDeadlyRecord() {
        var chance = world.seed.generator(29)
        // Without room for a mark, nothing ends such a record.
        let budget = MetadataBudget(characters: world.settings.commitMetadata)
        guard chance.happens(25), budget.hasRoomForMark, !world.oracle.refusesMetadata else {
            return
        }
        let partition = Int32(chance.number(in: 0...UInt64(world.topic.firstCount - 1)))
        let moment = chance.moment(until: Self.end)
        let diesWhenSent = chance.happens(50)
        world.clock.schedule(at: moment) { [unowned self] in
            writeDeadlyRecord(partition, diesWhenSent)
        }
    }

    /// Appends a record of which every worker dies from now on.
    func writeDeadlyRecord(_ partition: Int32, _ diesWhenSent: Bool) {
        guard world.topic.takesRecords(partition) else { return }
        let event = Samples.event(
            Samples.token("ab7777"), more: #","bundle_id":"\#(world.settings.apps[0].bundleID)""#)
        let offset = world.topic.append(partition: partition, value: Array(event.utf8))
        world.oracle.expect(1, partition: partition, offset: offset)
        deadly = DeadlyRecord(
            partition: partition, offset: offset, timestamp: world.clock.wallClock,
            diesWhenSent: diesWhenSent)
    }

    /// Kills a worker that has taken, or sent, the deadly record in this turn.
    func strike(_ seat: Seat) {
        guard let deadly, let number = world.seats.firstIndex(where: { $0 === seat }),
            endings[number] != .killed,
            seat.views.contains(where: { isDeadly($0, deadly) })
        else { return }
        self.deadly?.deaths += 1
        if !deadly.diesWhenSent { seat.member?.diedAt = world.clock.now }
        endings[number] = .killed
        guard world.process != nil else { return }
        world.process = SoleRecordLock()
        for other in world.seats.indices { endings[other] = .killed }
    }

    private func isDeadly(_ push: PushView, _ deadly: DeadlyRecord) -> Bool {
        push.origin.topicPartition == world.topic.topicPartition(deadly.partition)
            && push.origin.offset == deadly.offset && push.origin.timestamp == deadly.timestamp
            && push.drop?.reason != .crashed && (!deadly.diesWhenSent || push.attempts > 0)
    }
}
