import Delivery
import Mapping
import Testing

private let apps = [
    MappingApp(name: "shop", bundleID: "com.example.shop", environment: "production"),
    MappingApp(name: "pay", bundleID: "com.example.pay", environment: "production"),
    MappingApp(name: "pay-test", bundleID: "com.example.pay", environment: "development"),
]

private let choosing = minimal.with([
    "bundle_id": "${bundle?}", "environment": "${environment?}",
])

private func compile(
    _ notification: MappingSource?, app: MappingSource?, apps: [MappingApp] = apps
) -> (plan: MappingPlan?, problems: [MappingProblem]) {
    MappingPlan.compile(
        notification: notification, when: nil,
        defaults: MappingDefaults(fileName: "connectors/orders.yaml", apps: apps, app: app),
        hash: sha256)
}

private func chosen(
    _ event: String, _ source: MappingSource? = choosing, app: MappingSource? = nil
) throws -> Notification {
    let compiled = compile(source, app: app)
    guard let plan = compiled.plan else { throw Unplanned(problems: compiled.problems) }
    var mapper = Mapper(plan: plan)
    var result = MappedRecord()
    let record = TestRecord(json: event)
    mapper.map(record.makeRecord(), now: 1_767_261_600_000, into: &result)
    mapper.map(record.makeRecord(), now: 1_767_261_600_000, into: &result)
    return result.notifications[0]
}

@Suite struct `The app of a notification` {
    @Test(arguments: [
        (#"{"token":"ab","app":"bank"}"#, "${app} is not valid: 'apns.apps' has no app"),
        (#"{"token":"ab","app":"Shop"}"#, "${app} is not valid: 'apns.apps' has no app"),
        (#"{"token":"ab","app":""}"#, "${app} is not valid: 'apns.apps' has no app"),
    ])
    func `is unknown if the event names one that does not exist`(
        event: String, message: String
    ) throws {
        let made = try chosen(event, app: "${app}")
        #expect(made.drop?.reason.rawValue == "unknown_app")
        #expect(made.drop?.detail.contains(message) == true)
        #expect(made.app == -1)
    }

    @Test func `is missing if the event does not name it`() throws {
        let made = try chosen(#"{"token":"ab"}"#, app: "${app}")
        #expect(made.drop?.reason == .missingField)
        #expect(made.app == -1)
    }

    @Test func `must match the environment that the event names`() throws {
        let event = #"{"token":"ab","app":"pay","environment":"development"}"#
        #expect(try chosen(event, app: "${app}").drop?.reason.rawValue == "wrong_environment")
    }

    @Test(arguments: [
        #"{"token":"ab","bundle":"com.example.bank"}"#,
        #"{"token":"ab","bundle":"com.example.shop","environment":"development"}"#,
        #"{"token":"ab","bundle":"com.example.pay"}"#, #"{"token":"ab"}"#,
        #"{"token":"ab","environment":"production"}"#,
    ])
    func `is unknown if bundle identifier and environment match none or several`(
        event: String
    ) throws {
        let made = try chosen(event)
        #expect(made.drop?.reason.rawValue == "unknown_app")
        #expect(made.app == -1)
    }

    @Test func `is unknown if the record cannot be read`() throws {
        let made = try chosen("no JSON")
        #expect(made.app == -1)
        #expect(made.bundleID == [])
        #expect(made.drop?.reason == .unparsable)
    }

    @Test(arguments: [("shop", 0), ("pay", 1), ("pay-test", 2)])
    func `is the one that the event names`(name: String, location: Int) throws {
        let made = try chosen(#"{"token":"ab","app":"\#(name)"}"#, app: "${app}")
        #expect(made.drop == nil)
        #expect(made.app == location)
        #expect(made.bundleID == Array(apps[location].bundleID.utf8))
    }

    @Test(arguments: [
        (#""bundle":"com.example.shop""#, 0),
        (#""bundle":"com.example.shop","environment":"production""#, 0),
        (#""bundle":"com.example.pay","environment":"production""#, 1),
        (#""bundle":"com.example.pay","environment":"development""#, 2),
        (#""environment":"development""#, 2),
    ])
    func `is the only one with its bundle identifier and environment`(
        members: String, location: Int
    ) throws {
        let made = try chosen("{\"token\":\"ab\",\(members)}")
        #expect(made.drop == nil)
        #expect(made.app == location)
        #expect(made.bundleID == Array(apps[location].bundleID.utf8))
    }

    @Test func `is chosen for canonical events by their own fields`() throws {
        let event = """
            {"device_token":"ab","bundle_id":"com.example.pay","environment":"development",
             "payload":{"aps":{"alert":"Hi"}}}
            """
        let made = try chosen(event, nil)
        #expect(made.drop == nil)
        #expect(made.app == 2)
    }

    @Test func `is the same for every device token of a record`() throws {
        let source = choosing.without("device_token").with(["device_tokens": "${tokens}"])
        let compiled = compile(source, app: "${app}")
        var mapper = Mapper(plan: try #require(compiled.plan))
        var result = MappedRecord()
        let record = TestRecord(json: #"{"tokens":["ab","cd"],"app":"pay"}"#)
        mapper.map(record.makeRecord(), now: 0, into: &result)
        try #require(result.count == 2)
        #expect(result.notifications[..<2].map(\.app) == [1, 1])
    }

    @Test func `must be determined by something`() {
        let problems = compile(minimal, app: nil).problems.filter { !$0.isWarning }
        #expect(
            problems.map(\.message)
                == ["it is not clear which of 'apns.apps' this notification is for"])
    }

    @Test func `must be one of the apps if it is a constant`() {
        let problems = compile(choosing, app: "shpo").problems.filter { !$0.isWarning }
        #expect(
            problems.map(\.message)
                == ["'app' cannot be 'shpo': 'apns.apps' has no app with this name"])
        #expect(problems.map(\.remedy) == ["did you mean 'shop'?"])
    }

    @Test func `must have a constant bundle identifier`() {
        let source = minimal.with(["bundle_id": "com.example.bank"])
        let problems = compile(source, app: nil).problems.filter { !$0.isWarning }
        #expect(
            problems.map(\.message)
                == ["'bundle_id' cannot be 'com.example.bank': no app in 'apns.apps' has it"])
    }

    @Test func `is never optional`() {
        #expect(compile(choosing, app: "${app?}").plan == nil)
    }
}
