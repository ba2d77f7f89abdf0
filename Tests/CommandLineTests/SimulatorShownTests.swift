import Foundation
import Testing

/// The whole simulator in one go, as a first-time user would try it.
@Suite(
    .enabled(
        if: Shell.has("curl") && Shell.has("h2load") && Browser.path != nil,
        "curl, h2load or Chromium is not installed"))
struct `A simulator with a scenario of the library` {
    private static let phone = String(repeating: "5a", count: 32)
    private static let payload = """
        {"aps":{"alert":{"title":"Your order has shipped","body":"It arrives soon."},"badge":1}}
        """

    @Test func `accepts pushes of curl and h2load, shows them, and ends on request`() throws {
        let simulator = try SimulatorProcess(["--scenario", "load"])
        try #require(simulator.endpoint.hasPrefix("https://"))
        let token = try Program.run(
            Program.path, ["simulator", "token", "--state", "state"], in: simulator.folder
        ).output.trimmingCharacters(in: .newlines)
        let headers = [
            "authorization: bearer \(token)", "apns-topic: com.example.app",
            "apns-push-type: alert",
        ]

        let pushed = try Program.run(
            "/usr/bin/env",
            ["curl", "--silent", "--http2", "--cacert", simulator.authority]
                + headers.flatMap { ["--header", $0] }
                + ["--data", Self.payload, "--write-out", "%{http_version} %{http_code}"]
                + [simulator.endpoint + "/3/device/" + Self.phone])
        #expect(pushed.output == "2 200", "\(pushed.errors)")

        let body = simulator.folder.appending(path: "body")
        try Data(Self.payload.utf8).write(to: body)
        let other = String(repeating: "a5", count: 32)
        let loaded = try Program.run(
            "/usr/bin/env",
            ["h2load", "-n", "3000", "-c", "3", "-m", "100", "-d", body.path]
                + headers.flatMap { ["-H", $0] } + [simulator.endpoint + "/3/device/" + other])
        #expect(loaded.output.contains("status codes: 3000 2xx, 0 3xx, 0 4xx, 0 5xx"))

        let page = try Browser.page(simulator.page)
        #expect(page.contains(">3,001 accepted</span>"))
        #expect(page.components(separatedBy: "<section class=\"phone").count == 3)
        #expect(page.contains("<div class=\"title\" dir=\"auto\">Your order has shipped</div>"))
        #expect(page.contains("<div class=\"text\" dir=\"auto\">It arrives soon.</div>"))
        #expect(simulator.stop() == 0)
    }
}

/// What stands in the guide for GitHub Actions, with stand-ins for what a test has not: docker, and
/// the ports 2197 and 2198.
@Suite(.enabled(if: Shell.has("curl") && Shell.has("python3"), "curl or python3 is not installed"))
struct `The guide's job for GitHub Actions` {
    /// Understands `docker run` of the image with published ports, and `docker cp` out of it.
    private static let docker = """
        #!/usr/bin/env bash
        set -euo pipefail
        verb=$1; shift
        case "$verb" in
        run)
          published=
          while [ "$1" != apns-bridge ]; do
            case "$1" in
              --detach) shift ;;
              --name) echo "$2" > "$STAGE/name"; shift 2 ;;
              --publish) published="$published $2"; shift 2 ;;
              *) echo "unknown option $1" >&2; exit 125 ;;
            esac
          done
          shift
          [ "$published" = " 2197:2197 2198:2198" ]
          words=("${@//\\/var\\/lib/$INSIDE}" --port 0 --admin-port 0)
          exec 3< <(exec "$PROGRAM" "${words[@]}" < /dev/null)
          echo $! > "$STAGE/process"
          while read -r line <&3; do
            echo "$line"
            case "$line" in *passphrase*) break ;; esac
          done > "$STAGE/announcement" ;;
        cp)
          name=$(cat "$STAGE/name")
          cp -r "${1/#$name:\\/var\\/lib/$INSIDE}" "$2" ;;
        *) echo "unknown verb $verb" >&2; exit 125 ;;
        esac
        """
    /// Knows the ports that were given for those that were asked for.
    private static let curl = """
        #!/usr/bin/env bash
        push=$(sed -n 's/.*endpoint: https:.*:\\([0-9]*\\)$/\\1/p' "$STAGE/announcement")
        page=$(sed -n 's/.*Device page: http:.*:\\([0-9]*\\).$/\\1/p' "$STAGE/announcement")
        words=("${@//localhost:2197/localhost:${push:-1}}")
        exec "$CURL" "${words[@]//localhost:2198/localhost:${page:-1}}"
        """
    /// Prints what the first job runs before the user's own line, having read it as YAML.
    private static let reader = """
        import sys, yaml
        job = yaml.safe_load(sys.stdin)["jobs"]["test"]
        assert job["runs-on"] == "ubuntu-latest"
        steps = job["steps"]
        uses = [step.get("uses", "run") for step in steps]
        assert uses == ["actions/checkout@v4", "run", "run"]
        assert steps[2] == {"run": "make test"}
        print(steps[1]["run"])
        """

    @Test func `starts a simulator and hands out its authority and key`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let programs = folder.appending(path: "programs")
        try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, text) in [("docker", Self.docker), ("curl", Self.curl)] {
            let file = programs.appending(path: name).path
            let isMade = FileManager.default.createFile(
                atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o755])
            #expect(isMade)
        }
        try Data(try Self.job().utf8).write(to: folder.appending(path: "job.yaml"))
        try Data(Self.reader.utf8).write(to: folder.appending(path: "reader.py"))
        let phone = String(repeating: "5a", count: 32)
        let script = """
            export STAGE="$PWD" INSIDE="$PWD/inside"
            export PROGRAM=\(Program.path) CURL="$(command -v curl)"
            export PATH="$PWD/programs:$PATH"
            trap 'kill "$(cat "$STAGE/process")"' EXIT
            lines=$(python3 reader.py < job.yaml)
            bash -e -o pipefail -c "$lines"
            curl --silent --http2 --cacert simulator/ca.pem --data '{"aps":{"alert":"Hello"}}' \\
              --header "authorization: bearer $("$PROGRAM" simulator token --state simulator)" \\
              --header 'apns-topic: com.example.app' https://localhost:2197/3/device/\(phone)
            curl --silent localhost:2198/devices/\(phone)
            """
        let ending = try Program.run(
            "/usr/bin/env", ["bash", "-e", "-o", "pipefail", "-c", script], in: folder)
        #expect(ending.code == 0, "\(ending.errors)")
        #expect(ending.output.hasPrefix(#"{"status":"ok"}"#), "\(ending.output)")
        #expect(ending.output.contains(#""body":"Hello""#), "\(ending.errors)")
    }

    private static func job() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let guide = try String(
            contentsOf: root.appending(path: "Sources/APNsSimulator/README.md"), encoding: .utf8)
        let blocks = guide.components(separatedBy: "```yaml\n").map {
            $0.components(separatedBy: "```")[0]
        }
        return try #require(blocks.first { $0.hasPrefix("jobs:") })
    }
}
