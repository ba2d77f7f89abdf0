import APNs
import BridgeSamples
import Delivery
import EventLoop
import Testing

@testable import Engine

/// What a push costs in memory from mapping to acknowledgement.
///
/// Its allocations are counted by `make benchmark`, in a release build.
@Suite(.serialized) struct `A push in the steady state` {
    /// A worker's core, with everything around it allocated in advance.
    @safe private final class Treadmill {
        let harness: EngineHarness
        private let value: UnsafeRawBufferPointer
        private let topicPartition = TopicPartition(topic: "shop.orders", partition: 0)
        private let access = unsafe RecordAccess(release: { _ in }, header: { _, _ in nil })
        private var pushes: [PushID] = []
        private var tickets: [Ticket] = []
        private var offset: Int64 = 0

        init(orderedByDevice: Bool) throws {
            harness = try EngineHarness(orderedByDevice: orderedByDevice)
            harness.assign()
            let event = Array(Samples.event(Samples.token("ab")).utf8)
            let memory = UnsafeMutableRawBufferPointer.allocate(
                byteCount: event.count, alignment: 1)
            unsafe memory.copyBytes(from: event)
            unsafe value = UnsafeRawBufferPointer(memory)
            pushes.reserveCapacity(100)
            tickets.reserveCapacity(100)
        }

        deinit { unsafe value.deallocate() }

        private func take() {
            guard let owner = unsafe UnsafeMutableRawPointer(mutating: value.baseAddress) else {
                return
            }
            harness.engine.take(
                unsafe Record(
                    assignment: AssignmentID(0), topicPartition: topicPartition, offset: offset,
                    timestamp: EngineHarness.start, key: nil, value: value, owner: owner,
                    access: access))
            offset += 1
        }

        /// The length of the queue of the only app.
        ///
        /// Asked of all queues: of `queues[app].pushes.count`, Swift before 6.4 releases the large
        /// copy at the address that the subscript yielded, when that memory is no longer its own.
        var queued: Int { harness.engine.sendingCell.value.waitingToBeSent }

        /// Sends one push of each ordering key at a time, until the queue is empty.
        private func sendAll() {
            while queued > 0 {
                harness.engine.startSending()
                while let push = harness.engine.nextToSend() {
                    harness.engine.sent(push)
                    pushes.append(push)
                }
                for push in pushes { harness.engine.responded(push, APNsResponse(status: 200)) }
                pushes.removeAll(keepingCapacity: true)
            }
        }

        func push(_ count: Int) {
            let end = offset + Int64(count)
            while offset < end {
                for _ in 0..<100 { take() }
                sendAll()
                while let ticket = harness.engine.writeNextResult() {
                    harness.engine.published(ticket)
                    tickets.append(ticket)
                }
                for ticket in tickets { harness.engine.acknowledged(ticket, .stored) }
                tickets.removeAll(keepingCapacity: true)
            }
        }
    }

    @Test(arguments: [false, true])
    func `leaves nothing behind`(isOrdered: Bool) throws {
        let treadmill = try Treadmill(orderedByDevice: isOrdered)
        treadmill.push(5000)
        let harness = treadmill.harness
        #expect(harness.engine.counters.accepted == 5000)
        #expect(harness.next() == 5000)
        #expect(harness.openRecords == 0)
        #expect(harness.engine.openPushes == 0)
        #expect(harness.engine.pushesCell.value.slotRange.count <= 100)
        #expect(treadmill.queued <= 100)
        #expect(harness.engine.outboxCell.value.count <= 100)
        #expect(harness.nextRetry == nil)
    }
}
