import Testing

/// The status page in a browser, while something is wrong.
@Suite(.serialized, .enabled(if: Browser.path != nil, "no Chromium is installed"))
struct `The status page, in a browser,` {
    private static let count = "document.querySelectorAll('#problems > li').length"
    private static let headline = "document.getElementById('headline').textContent"
    private static let focus = "document.activeElement.getAttribute('aria-label')"
    private static let guardButton = "Release guard: shop"

    /// Presses Tab until something has the focus, which is visible.
    private func tab(_ tab: BrowserTab, to expression: String) throws {
        for _ in 0..<20 where try tab.text(expression) != "true" { try tab.press("Tab") }
        #expect(try tab.text(expression) == "true")
        #expect(try tab.text("document.activeElement.matches(':focus-visible')") == "true")
        let outline = "getComputedStyle(document.activeElement).outlineStyle"
        #expect(try tab.text(outline) == "solid")
    }

    private func isOpen(_ dialog: String) -> String {
        "document.getElementById('\(dialog)').open"
    }

    /// A page that asks whether to release the guard, whose button was pressed by keyboard.
    private func pageThatAsks() throws -> (PageStage, BrowserTab) {
        let stage = try PageStage()
        let tab = try stage.open()
        try tab.wait(until: "\(Self.count) === 4")
        try self.tab(tab, to: "\(Self.focus) === '\(Self.guardButton)'")
        try tab.press("Enter")
        try tab.wait(until: isOpen("confirm"))
        return (stage, tab)
    }

    @Test func `shows and counts the problems of the process and of its connectors`() throws {
        let stage = try PageStage()
        let tab = try stage.open()
        try tab.wait(until: "\(Self.count) === 4")
        #expect(try tab.text(Self.headline) == "4 problems")
        #expect(try tab.text("document.title").hasPrefix("! 4 problems"))
        let message = try tab.text("document.getElementById('problems').innerText")
        for line in [
            "orders: sending suspended for shop: too many device tokens are unregistered or suspect"
                + " (for 5 min)",
            "The process: 490 of 512 MiB of memory in use",
            "The process: the last reload was refused",
            "orders: the certificate of shop expires in 10 days",
        ] {
            #expect(message.contains(line), "\(message)")
        }
        let kinds = "[...document.querySelectorAll('#problems > li')].map(item => item.className)"
        #expect(try tab.text(kinds) == "error,warning,warning,warning")
        try tab.picture("problems-light")
        try tab.look(isDark: true, width: 390, height: 1400)
        try tab.picture("problems-dark-narrow")
    }

    @Test func `asks for the token once, and says that a wrong one is wrong`() throws {
        let stage = try PageStage(token: "correct-horse")
        let tab = try stage.open()
        let isWrong = "!document.getElementById('wrong').hidden"
        try tab.wait(until: isOpen("login"))
        #expect(try tab.text(isWrong) == "false")
        #expect(try tab.text("document.activeElement.id") == "token")
        #expect(try tab.text(Self.count) == "0")
        try tab.picture("token-light")
        // Without a token there is nothing to see: it asks again.
        try tab.press("Escape")
        try tab.wait(until: isOpen("login"))
        try tab.type("wrong")
        try tab.press("Enter")
        try tab.wait(until: "\(isOpen("login")) && \(isWrong)")
        #expect(try tab.text("document.activeElement.id") == "token")
        #expect(try tab.text("document.getElementById('token').value") == "")
        try tab.look(isDark: true)
        try tab.picture("token-wrong-dark")
        try tab.type("correct-horse")
        try tab.press("Enter")
        try tab.wait(until: "\(Self.count) === 4")
        #expect(try tab.text(isOpen("login")) == "false")
        // It keeps the token in memory, and nowhere else.
        let asked =
            "performance.getEntriesByType('resource').filter(it => it.name.endsWith('/status'))"
            + ".length"
        let before = try tab.text(asked)
        try tab.wait(until: "\(asked) >= \(before) + 2 || \(isOpen("login"))")
        #expect(try tab.text(isOpen("login")) == "false")
        #expect(try tab.text("document.getElementById('token').value") == "")
        #expect(try tab.text("localStorage.length + sessionStorage.length") == "0")
        #expect(try tab.text("document.cookie + location.search + location.hash") == "")
    }

    @Test func `releases the guard by keyboard, after a confirmation that Escape takes back`()
        throws
    {
        let (stage, tab) = try pageThatAsks()
        let question = "document.getElementById('question').textContent"
        #expect(try tab.text(question) == "Release the guard of shop?")
        #expect(try tab.text("document.activeElement.textContent") == "Cancel")
        try tab.picture("confirm-light")
        try tab.press("Escape")
        try tab.wait(until: "!\(isOpen("confirm"))")
        #expect(try tab.text(Self.focus) == Self.guardButton, "where it was before")
        #expect(stage.control.orders == [])

        try tab.press("Enter")
        try tab.wait(until: isOpen("confirm"))
        try self.tab(tab, to: "document.activeElement.id === 'yes'")
        #expect(try tab.text("document.activeElement.textContent") == "Release guard")
        try tab.press("Enter")
        let message = "document.getElementById('message').textContent"
        try tab.wait(until: "\(message) === 'The guard of shop is released.'")
        #expect(stage.control.orders == ["release orders shop"])
        try tab.wait(until: "\(Self.count) === 3")
        #expect(try tab.text(Self.headline) == "3 things need attention")
        // The button has gone, and the focus is not lost.
        try tab.wait(until: "document.activeElement.id === 'verdict'")
        try tab.picture("released-light")
    }

    @Test func `asks for the token again if it changed before a button was pressed`() throws {
        let (stage, tab) = try pageThatAsks()
        #expect(
            try tab.text("document.getElementById('effect').textContent")
                .contains("this process only"))
        // The bridge rejects the token of the next order, and the page has no other one.
        _ = try tab.text(
            "(() => { const real = window.fetch; let rejections = 1; "
                + "window.fetch = (path, options) => "
                + "options.method === 'POST' && rejections-- > 0 "
                + "? Promise.resolve(new Response('{}', {status: 401})) : real(path, options); "
                + "return 'ready'; })()")
        try self.tab(tab, to: "document.activeElement.id === 'yes'")
        try tab.press("Enter")
        try tab.wait(until: isOpen("login"))
        #expect(stage.control.orders == [])
        try tab.type("another")
        try tab.press("Enter")
        let message = "document.getElementById('message').textContent"
        try tab.wait(until: "\(message) === 'The guard of shop is released.'")
        #expect(stage.control.orders == ["release orders shop"])
    }

    @Test func `says that a guard is not engaged if somebody else has released it`() throws {
        let (stage, tab) = try pageThatAsks()
        stage.releaseElsewhere()
        try self.tab(tab, to: "document.activeElement.id === 'yes'")
        try tab.press("Enter")
        let message = "document.getElementById('message').textContent"
        try tab.wait(until: "\(message).includes('is not engaged')")
        try tab.wait(until: "\(Self.count) === 3")
        #expect(stage.control.orders == [])
    }
}
