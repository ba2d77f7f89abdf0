import APNsSimulator
import Foundation
import Synchronization
import Testing

/// The page as a browser makes it.
@Suite(.enabled(if: Browser.path != nil, "no Chromium is installed"))
struct `The page of the simulator` {
    @Test func `escapes the text of pushes`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        let title = "<script>document.title='taken'</script>"
        world.push(title: title, body: "<img src=x onerror=\"document.title='taken'\"> & more")
        let page = try Browser.page("http://127.0.0.1:\(world.adminPort)/")
        #expect(
            page.contains(
                "<div class=\"title\" dir=\"auto\">&lt;script&gt;document.title='taken'"
                    + "&lt;/script&gt;</div>"))
        #expect(page.contains("&lt;img src=x onerror=\"document.title='taken'\"&gt; &amp; more"))
        #expect(page.contains("<title>Phones · APNs simulator</title>"))
        #expect(!page.contains("<img"))
    }

    @Test func `shows a phone for each device with its notifications`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        for number in 0..<200 {
            let token = String(format: "%064x", number)
            world.push(title: "Hello \(number)", to: token)
        }
        try world.server.report(String(format: "%064x", 0), .online(false))
        try world.server.report(String(format: "%064x", 1), .unregister)
        let page = try Browser.page("http://127.0.0.1:\(world.adminPort)/")
        #expect(page.components(separatedBy: "<section class=\"phone").count == 201)
        for number in 0..<200 {
            #expect(page.contains("<div class=\"title\" dir=\"auto\">Hello \(number)</div>"))
        }
        #expect(page.contains("<div class=\"notice\">Unregistered</div>"))
        #expect(page.contains(">offline</button>"))
        #expect(page.contains(">200 accepted</span>"))
    }

    @Test func `shows a Live Activity with the names and values of its content state`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        let payload = """
            {"aps":{"event":"start","attributes-type":"Match","attributes":{"home":"<b>Ulm</b>"},
            "content-state":{"score":7}}}
            """
        world.push(
            payload: payload, type: "liveactivity",
            topic: "com.example.app.push-type.liveactivity", to: world.token)
        let page = try Browser.page("http://127.0.0.1:\(world.adminPort)/")
        #expect(page.contains("<dt>home</dt><dd>&lt;b&gt;Ulm&lt;/b&gt;</dd>"))
        #expect(page.contains("<dt>score</dt><dd>7</dd>"))
        #expect(page.contains("<span>Live Activity</span>"))
    }

    @Test func `shows which of several Live Activities are stale or ended`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        for (name, more) in [
            ("Gone", ""), ("Trip", #","stale-date":1000000000"#), ("Match", ""), ("Race", ""),
        ] {
            let start = #"{"aps":{"event":"start","attributes-type":"\#(name)"\#(more)}}"#
            world.push(activity: start)
            if name == "Gone" {
                world.push(activity: #"{"aps":{"event":"end","dismissal-date":1}}"#)
            }
        }
        world.push(activity: #"{"aps":{"event":"end"}}"#)
        let page = try Browser.page("http://127.0.0.1:\(world.adminPort)/")
        for (name, state) in [("Trip", "stale"), ("Match", "active"), ("Race", "ended")] {
            let card = try #require(
                page.components(separatedBy: "<article class=\"card activity \(state)").last?
                    .components(separatedBy: "</article>").first)
            #expect(card.contains(">\(name)</div>"), "\(card)")
            #expect(card.contains("<span>\(state)</span>") == (state != "active"))
        }
        #expect(page.components(separatedBy: "<article class=\"card activity").count == 4)
        #expect(!page.contains(">Gone</div>"))
    }

    @Test func `shows pushes that arrive while it is open`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        world.push(title: "Before")
        let end = End()
        let pusher = Thread {
            while !end.hasCome.load(ordering: .relaxed) {
                world.push(title: "Meanwhile")
                // About as fast as the page can ask.
                _ = try? Program.run(Program.path, ["version"])
            }
        }
        pusher.start()
        defer { end.hasCome.store(true, ordering: .relaxed) }
        let page = try Browser.page("http://127.0.0.1:\(world.adminPort)/", seconds: 20)
        #expect(page.contains("<article class=\"card new\""))
    }

    @Test func `does not take a response about channels for a rejection`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        world.server.memory?.note(
            JudgedRequest(
                arrivedAt: 0, fields: [([UInt8](":path".utf8), [UInt8]("/1/apps/a/channels".utf8))],
                body: [], judgement: Judgement(status: 201), identifier: []))
        let page = try Browser.page("http://127.0.0.1:\(world.adminPort)/")
        #expect(page.contains("<button class=\"pill bad\" id=\"refused\" hidden=\"\">"))
    }

    @Test func `shows the texts of localized keys, as the device would`() throws {
        let strings = try LocalizedStrings.parse(
            "\"SHIPPED\" = \"Order %@ has shipped to %@\";", file: "Localizable.strings")
        let world = try SimulatorWorld(strings: strings)
        defer { world.remove() }
        world.push(
            payload: #"{"aps":{"alert":{"loc-key":"SHIPPED","loc-args":["7","Ulm"]}}}"#,
            type: "alert", topic: "com.example.app", to: world.token)
        let page = try Browser.page("http://127.0.0.1:\(world.adminPort)/")
        #expect(page.contains("<div class=\"text\" dir=\"auto\">Order 7 has shipped to Ulm</div>"))
    }

    @Test func `no longer shows what was opened, and offers to clear the rest`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        world.push(title: "First")
        world.push(title: "Second")
        let device = try #require(try world.server.device(world.token))
        let second = try #require(device.lockScreen.notifications.first)
        try world.server.report(world.token, .open(second.identifier))
        let page = try Browser.page("http://127.0.0.1:\(world.adminPort)/")
        #expect(page.contains("<div class=\"title\" dir=\"auto\">First</div>"))
        #expect(!page.contains("Second"))
        #expect(page.components(separatedBy: "title=\"Clear the notification\"").count == 2)
        #expect(page.contains("data-opens=\"\""))
    }

    @Test func `lists background pushes, and offers the screen as a picture`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        world.push(
            payload: #"{"aps":{"content-available":1},"sync":true}"#, type: "background",
            topic: "com.example.app", to: world.token)
        world.push(title: "Opened")
        let shown = try #require(
            try world.server.device(world.token)?.lockScreen.notifications.first)
        try world.server.report(world.token, .open(shown.identifier))
        let page = try Browser.page("http://127.0.0.1:\(world.adminPort)/#\(world.token)")
        #expect(page.contains("<span>background</span>"))
        #expect(page.contains("\"sync\": true"))
        #expect(page.contains("<span>opened</span>"))
        #expect(page.contains("href=\"devices/\(world.token)/screen.svg\""))
    }

    @Test func `says what to do if there is no phone`() throws {
        let world = try SimulatorWorld()
        defer { world.remove() }
        let page = try Browser.page("http://127.0.0.1:\(world.adminPort)/")
        #expect(page.contains("<section class=\"empty\" id=\"empty\">"))
        #expect(page.contains("curl --http2"))
    }
}

/// Asks another thread to stop.
private final class End: Sendable {
    let hasCome = Atomic(false)
}

/// A browser without a window.
enum Browser {
    static let path = ["chromium", "chromium-browser", "google-chrome"].lazy
        .compactMap { Shell.path($0) }.first

    /// The document after its script has run.
    ///
    /// It runs in virtual time: nothing is waited for.
    static func page(_ address: String, seconds: Int = 3) throws -> String {
        let profile = FileManager.default.temporaryDirectory
            .appending(path: "chromium-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: profile) }
        let ending = try Program.run(
            path ?? "",
            [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
                "--disable-dev-shm-usage", "--user-data-dir=\(profile.path)",
                "--virtual-time-budget=\(seconds * 1000)", "--dump-dom", address,
            ])
        return ending.output
    }
}
