internal import CRDKafka
internal import Delivery

extension Client {
    /// How many partitions of each topic the members of a group have, while nothing changes that;
    /// nil while the group rebalances, or when no broker says it in time.
    func assignedCounts(of group: String, milliseconds: Int32) -> [String: Int]? {
        guard let queue = unsafe rd_kafka_queue_new(pointer),
            let options = unsafe rd_kafka_AdminOptions_new(
                pointer, RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS)
        else { return nil }
        defer {
            unsafe rd_kafka_AdminOptions_destroy(options)
            unsafe rd_kafka_queue_destroy(queue)
        }
        unsafe rd_kafka_AdminOptions_set_request_timeout(options, milliseconds, nil, 0)
        unsafe group.withCString { name in
            var names: [UnsafePointer<CChar>?] = unsafe [name]
            unsafe rd_kafka_DescribeConsumerGroups(pointer, &names, 1, options, queue)
        }
        guard let event = unsafe rd_kafka_queue_poll(queue, milliseconds + 500) else { return nil }
        defer { unsafe rd_kafka_event_destroy(event) }
        var count = 0
        guard let result = unsafe rd_kafka_event_DescribeConsumerGroups_result(event),
            let groups = unsafe rd_kafka_DescribeConsumerGroups_result_groups(result, &count),
            count == 1, let found = unsafe groups[0],
            unsafe rd_kafka_ConsumerGroupDescription_error(found) == nil,
            unsafe rd_kafka_ConsumerGroupDescription_state(found)
                == RD_KAFKA_CONSUMER_GROUP_STATE_STABLE
        else { return nil }
        return unsafe Self.counts(of: found)
    }

    private static func counts(of group: OpaquePointer) -> [String: Int] {
        var counts: [String: Int] = [:]
        for index in unsafe 0..<rd_kafka_ConsumerGroupDescription_member_count(group) {
            guard let member = unsafe rd_kafka_ConsumerGroupDescription_member(group, index),
                let assignment = unsafe rd_kafka_MemberDescription_assignment(member),
                let list = unsafe rd_kafka_MemberAssignment_partitions(assignment)
            else { continue }
            unsafe PartitionList.forEach(UnsafeMutablePointer(mutating: list)) {
                counts[$0.partition.topic, default: 0] += 1
            }
        }
        return counts
    }
}
