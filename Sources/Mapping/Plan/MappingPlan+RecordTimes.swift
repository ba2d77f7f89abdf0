extension MappingPlan {
    /// The same plan, with the time of each record as the time of its event: for measurements, in
    /// which every record has the same event.
    public var withRecordTimes: MappingPlan {
        var plan = self
        for index in plan.blocks.indices { plan.blocks[index].fields.eventTime = -1 }
        return plan
    }
}
