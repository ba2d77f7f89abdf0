import JSON
import Testing

@testable import APNsSimulator
@testable import AdminServer

@Suite struct `A notification on a lock screen` {
    private static let token = DeviceHarness.token

    private func identifiers(_ world: borrowing AdministrationWorld) throws -> [String] {
        try world.memory.device(Self.token, at: JudgeFixture.now)?.lockScreen.notifications
            .map(\.identifier) ?? []
    }

    private func order(
        _ world: borrowing AdministrationWorld, _ body: String
    ) -> AdminResponse {
        world.ask("POST", "/devices/\(Self.token)", body: body)
    }

    @Test func `leaves it when it is opened or cleared, and its push says when`() throws {
        var world = try AdministrationWorld()
        for title in ["A", "B", "C"] {
            try world.push(
                title: title,
                identifier: "123e4567-e89b-12d3-a456-42665544000\(title.lowercased())")
        }
        let shown = try identifiers(world)
        #expect(Set(shown).count == 3)
        #expect(order(world, #"{"open":"\#(shown[0].uppercased())"}"#).status == 200)
        #expect(order(world, #"{"clear":"\#(shown[1])"}"#).status == 200)
        #expect(try identifiers(world) == [shown[2]])
        let text = world.text("GET", "/devices/\(Self.token)")
        #expect(text.components(of: #""opened_at":""#) == 1)
        #expect(text.components(of: #""cleared_at":""#) == 1)
        #expect(text.components(of: #""fate":"delivered""#) == 3)
    }

    @Test func `can be cleared together with all others`() throws {
        var world = try AdministrationWorld()
        for title in ["A", "B"] { try world.push(title: title) }
        #expect(order(world, #"{"clear":true}"#).status == 200)
        #expect(try identifiers(world) == [])
        // Nothing is shown, so there is nothing to clear.
        #expect(order(world, #"{"clear":true}"#).status == 200)
        try world.push(title: "C")
        #expect(try identifiers(world).count == 1)
    }

    @Test func `that is not there is an error that says how to find those that are`() throws {
        var world = try AdministrationWorld()
        try world.push(title: "A")
        let shown = try identifiers(world)
        #expect(order(world, #"{"open":"\#(shown[0])"}"#).status == 200)
        for body in [#"{"open":"\#(shown[0])"}"#, #"{"clear":"nonsense"}"#] {
            let response = order(world, body)
            #expect(response.status == 409)
            #expect(
                String(decoding: response.body, as: UTF8.self) == """
                    {"error":"no such notification on the lock screen",\
                    "remedy":"GET /devices/TOKEN lists those that are shown, each with its \
                    apns_id"}

                    """)
        }
    }

    @Test(arguments: [
        (#"{"open":true}"#, "'open' has a value of the wrong type"),
        (#"{"clear":false}"#, "'clear' has a value of the wrong type"),
        (#"{"clear":7}"#, "'clear' has a value of the wrong type"),
    ])
    func `is dismissed only by a valid request`(body: String, error: String) throws {
        let world = try AdministrationWorld()
        let response = order(world, body)
        #expect(response.status == 400)
        #expect(String(decoding: response.body, as: UTF8.self).contains(error))
    }

    @Test func `shows the texts of its keys if the simulator has them`() throws {
        let strings = try LocalizedStrings.parse(
            """
            /* Orders */
            "SHIPPED" = "Order %@ has \\"shipped\\" to %2$@";  // and more
            "TITLE" = "100 %% for %1$@";
            """, file: "Localizable.strings")
        let payload = """
            {"aps":{"alert":{"title-loc-key":"TITLE","title-loc-args":["Eve"],\
            "loc-key":"SHIPPED","loc-args":["7","Ulm"],"subtitle-loc-key":"UNKNOWN"}}}
            """
        let content = PayloadContent([UInt8](payload.utf8), strings)
        #expect(content.title == "100 % for Eve")
        #expect(content.body == #"Order 7 has "shipped" to Ulm"#)
        #expect(content.subtitle == "UNKNOWN")
        #expect(PayloadContent([UInt8](payload.utf8)).body == "SHIPPED (7, Ulm)")
    }

    @Test(arguments: [
        ("\"A\" \"b\";", "'=' expected"), ("\"A\" = \"b\"", "';' expected"),
        ("A = \"b\";", "'\"' expected"), ("\n\"A\" = \"b;", "the text has no closing quote"),
    ])
    func `has no texts from a damaged file`(text: String, error: String) {
        let failure = #expect(throws: SimulatorError.self) {
            try LocalizedStrings.parse(text, file: "x.strings")
        }
        let line = text.hasPrefix("\n") ? 2 : 1
        #expect(
            failure?.description
                == "x.strings:\(line): \(error); write \"KEY\" = \"text with %@\";")
    }

    @Test func `is part of a picture of the lock screen`() throws {
        var world = try AdministrationWorld()
        try world.push(title: "Tom & <Jerry>")
        let response = world.ask("GET", "/devices/\(Self.token)/screen.svg")
        #expect(response.status == 200)
        #expect(response.headers["content-type"] == "image/svg+xml; charset=utf-8")
        #expect(
            response.headers["content-disposition"]
                == "attachment; filename=\"phone-\(Self.token.prefix(8)).svg\"")
        let svg = String(decoding: response.body, as: UTF8.self)
        #expect(svg.hasPrefix("<svg xmlns=\"http://www.w3.org/2000/svg\" "))
        #expect(svg.contains(">Tom &amp; &lt;Jerry&gt;</text>"))
        #expect(svg.hasSuffix("</svg>\n"))
        #expect(world.ask("GET", "/devices/nonsense/screen.svg").status == 400)
    }

    @Test func `is part of a picture of the lock screen below the Live Activities`() throws {
        var world = try AdministrationWorld()
        let now = JudgeFixture.now / 1000
        for event in [
            #""event":"start","attributes-type":"Trip","stale-date":\#(now)"#,
            #""event":"start","attributes-type":"Match","content-state":{"score":"<7>"}"#,
        ] {
            try world.push(activity: "{\"aps\":{\(event)}}")
        }
        try world.push(title: "Kick-off")
        let json = world.text("GET", "/devices/\(Self.token)")
        #expect(json.ranges(of: #""state":"stale""#).count == 1)
        #expect(json.ranges(of: #""state":"active""#).count == 1)
        let svg = world.text("GET", "/devices/\(Self.token)/screen.svg")
        #expect(svg.contains(">com.example.app · Live Activity</text>"))
        #expect(svg.contains(">{&quot;score&quot;:&quot;&lt;7&gt;&quot;}</text>"))
        let titles = try ["Match", "Trip", "Kick-off"].map {
            try #require(svg.firstRange(of: ">\($0)</text>")).lowerBound
        }
        #expect(titles.sorted() == titles)
        #expect(svg.contains(">com.example.app · Live Activity · stale</text>"))
        try world.push(activity: #"{"aps":{"event":"end","dismissal-date":0}}"#)
        #expect(world.text("GET", "/devices/\(Self.token)").contains(#""state":"dismissed""#))
        #expect(!world.text("GET", "/devices/\(Self.token)/screen.svg").contains(">Match</text>"))
    }

    @Test func `is broken into lines in a picture`() {
        #expect(
            DevicePicture.wrapped("one two\n" + String(repeating: "x", count: 40))
                == ["one two", String(repeating: "x", count: 36), "xxxx"])
        #expect(DevicePicture.escaped("a\u{1}\"b") == "a &quot;b")
    }
}

@Suite struct `A scenario that is chosen by name at run time` {
    @Test func `is a built-in one`() throws {
        var world = try AdministrationWorld()
        let response = world.ask("POST", "/scenario", body: #"{"name":"unavailable"}"#)
        #expect(response.status == 200)
        try world.push(title: "A")
        #expect(world.service.run.scenario.name == "unavailable")
        #expect(
            world.service.scenarioState { $0.time(at: world.client.moment.now) }.name
                == "unavailable")
    }

    @Test(arguments: [
        (#"{"name":"hard-dya"}"#, "unknown scenario 'hard-dya'; did you mean 'hard-day'?"),
        (
            #"{"name":"/etc/passwd"}"#,
            "unknown scenario '/etc/passwd'; 'apns-bridge simulator --list-scenarios' shows all"
        ),
    ])
    func `is an error if there is none with that name`(body: String, error: String) throws {
        let world = try AdministrationWorld()
        let response = world.ask("POST", "/scenario", body: body)
        #expect(response.status == 400)
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text.contains(error), "\(text)")
    }

    @Test func `is shown with its clock by a simulator that runs`() throws {
        let server = SimulatorServer(
            SimulatorConfiguration(identity: try SimulatorIdentity.generate()))
        #expect(server.scenarioState() == nil)
        try server.start()
        defer { server.stop() }
        #expect(server.scenarioState()?.name == "")
        try server.begin(try Scenario.parse(body: [UInt8](#"{"name":"hard-day"}"#.utf8)))
        let state = try #require(server.scenarioState())
        #expect(state.name == "hard-day" && !state.summary.isEmpty && state.clock >= 0)
        var writer = JSONWriter()
        writer.beginObject()
        state.write(to: &writer)
        writer.endObject()
        let text = String(decoding: writer.bytes, as: UTF8.self)
        #expect(text.hasPrefix(#"{"name":"hard-day","summary":""#))
        #expect(text.contains(#""clock_ms":"#))
    }
}

extension String {
    /// How often it contains another string.
    fileprivate func components(of text: String) -> Int {
        ranges(of: text).count
    }
}
