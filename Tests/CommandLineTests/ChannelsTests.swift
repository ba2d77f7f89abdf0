import APNsSimulator
import Foundation
import Testing

@Suite struct `The verb channels` {
    // MARK: Without a response

    @Test func `says how to find a channel that may exist although no response came`() throws {
        let channels = try ChannelWorld(delivery: "{request_timeout: 1s}")
        try channels.play("latency: 10m")
        let ending = try channels.run("create")
        #expect(ending.code == 1)
        #expect(ending.output.isEmpty)
        #expect(ending.errors.contains(#/error: no response after \d+ ms: a channel may exist\n/#))
        #expect(
            ending.errors.contains(
                """
                  no response within 1 s
                  before you create another one, list the channels: apns-bridge channels list \
                orders.yaml
                  an ID there that you have not stored is that of this channel: store or delete it
                  apns-request-id: 
                """), "\(ending.errors)")
        // It does exist, and was not created twice.
        try channels.play("latency: 0s")
        let list = try channels.run("list")
        #expect(list.output == channels.channelIDs.map { "\($0)\n" }.joined())
        #expect(channels.channelIDs.count == 1)
    }

    @Test func `knows that a request may have arrived if the connection was cut`() throws {
        let channels = try ChannelWorld()
        try channels.play("faults: [{request: 1, cut: end}]")
        let ending = try channels.run("create", "--format", "json")
        #expect(ending.code == 1)
        let result = try ending.object
        #expect(result["command"] as? String == "create")
        #expect(result["verdict"] as? String == "unknown")
        #expect(result["channel_id"] is NSNull)
        #expect(channels.channelIDs.isEmpty)
    }

    @Test func `says that deleting can be repeated if no response came`() throws {
        let channels = try ChannelWorld()
        let channel = try channels.create()
        try channels.play("faults: [{request: 1, cut: end}]")
        let ending = try channels.run("delete", channel)
        #expect(ending.code == 1)
        #expect(ending.errors.contains("the channel may be deleted\n"))
        #expect(ending.errors.contains("run the command again: it succeeds if the channel is gone"))
    }

    @Test func `sends nothing if APNs is away`() throws {
        let channels = try ChannelWorld()
        channels.world.server.stop()
        let ending = try channels.run("create", "--format", "json")
        #expect(ending.code == 69)
        #expect(ending.errors.contains("orders.yaml:4:13: error: no connection to APNs at "))
        #expect(ending.errors.hasSuffix("\nNothing was sent.\n"))
        #expect(try ending.object["verdict"] as? String == "not_sent")
    }

    @Test func `may have created a channel when it is interrupted`() throws {
        let channels = try ChannelWorld()
        try channels.play("latency: 10m")
        let program = try RunningProgram(
            ["channels", "create", "orders.yaml"], in: channels.world.folder)
        let end = Date(timeIntervalSinceNow: 60)
        while channels.channelIDs.isEmpty { try #require(Date() < end) }
        #expect(program.terminate() == 75)
        #expect(program.said.contains("a channel may exist"))
    }

    // MARK: Rejections

    @Test func `explains why APNs rejects the ID of a channel`() throws {
        let channels = try ChannelWorld()
        let ending = try channels.run("read", "abc")
        #expect(ending.code == 1)
        #expect(ending.output.isEmpty)
        #expect(
            ending.errors.contains(
                #/^error: 400 BadChannelId after \d+ ms\n  The channel ID is not valid Base64, /#))
        #expect(ending.errors.contains(#/\n  apns-request-id: [0-9a-f-]{36}\n$/#))
    }

    @Test func `explains that the app has no such channel`() throws {
        let channels = try ChannelWorld()
        let ending = try channels.run("read", "dHN0LXNyY2gtY2hubA==", "--format", "json")
        #expect(ending.code == 1)
        let result = try ending.object
        #expect(result["verdict"] as? String == "rejected")
        #expect((result["response"] as? [String: Any])?["status"] as? Int == 400)
        let detail = result["detail"] as? String
        #expect(detail?.hasPrefix("The app has no such channel in this environment: ") == true)
    }

    @Test func `explains that the key is not accepted`() throws {
        let channels = try ChannelWorld()
        try channels.change("key_id: SIMULATOR1", to: "key_id: SIMULATOR2")
        let ending = try channels.run("list")
        #expect(ending.code == 1)
        #expect(ending.errors.contains("error: 403 InvalidProviderToken after "))
        #expect(ending.errors.contains("check key, key_id and team_id."))
    }

    @Test func `explains a GOAWAY that rejects the certificate`() throws {
        let channels = try ChannelWorld()
        try channels.useCertificate()
        let goAway = "goaway: {reason: BadCertificateEnvironment, last_stream: none}"
        try channels.play("faults: [{request: 1, \(goAway)}]")
        let ending = try channels.run("create")
        #expect(ending.code == 1)
        #expect(
            ending.errors.contains(
                """
                error: not sent: APNs rejected the credential: BadCertificateEnvironment
                  The certificate is for the other environment: check apns.environment.
                """), "\(ending.errors)")
        #expect(channels.channelIDs.isEmpty)
    }

    @Test func `explains that the app may not broadcast`() throws {
        let channels = try ChannelWorld()
        try channels.play("settings: {broadcast: false}")
        let ending = try channels.run("create")
        #expect(ending.code == 1)
        #expect(ending.errors.contains("error: 400 FeatureNotEnabled after "))
        #expect(ending.errors.contains("enable them in Apple's developer portal."))
    }

    @Test func `explains that a bundle ID must not have the suffix of a push type`() throws {
        let channels = try ChannelWorld()
        try channels.change(
            "bundle_id: com.example.app", to: "bundle_id: com.example.app.push-type.liveactivity")
        let ending = try channels.run("create")
        #expect(ending.code == 1)
        #expect(ending.errors.contains("error: 400 TopicDisallowed after "))
        #expect(ending.errors.contains("check bundle_id"))
    }

    @Test func `does not trust a server that is not APNs`() throws {
        let channels = try ChannelWorld()
        let peer = try WrongPeer(.says("HTTP/1.1 200 OK\r\n\r\n"))
        let ending = try channels.run(
            "list", "--endpoint", "https://localhost:\(peer.port)", "--ca-file",
            "simulator/ca.pem")
        #expect(ending.code == 69)
        #expect(ending.errors.contains("no connection to APNs at localhost:\(peer.port)"))
    }

    // MARK: Channels

    @Test func `creates a channel and prints nothing but its ID`() throws {
        let channels = try ChannelWorld()
        let ending = try channels.run("create", "--storage", "latest")
        #expect(ending.code == 0)
        #expect(ending.output == "\(channels.channelIDs[0])\n")
        #expect(
            ending.errors.contains(
                #/^created a channel of com.example.app in production after \d+ ms\n$/#))
        #expect(channels.world.server.channels.list()[0].storesLatest)
    }

    @Test func `creates channels that store nothing by default`() throws {
        let channels = try ChannelWorld()
        let channel = try channels.create()
        let read = try channels.run("read", channel)
        #expect(read.output == "storage: none\npush type: LiveActivity\n")
    }

    @Test func `lists the channels of the app, one in each line`() throws {
        let channels = try ChannelWorld()
        let empty = try channels.run("list")
        #expect(empty.code == 0 && empty.output.isEmpty)
        #expect(empty.errors == "0 channels of com.example.app in production\n")
        let made = [try channels.create(), try channels.create()]
        let list = try channels.run("list")
        #expect(list.output == made.map { "\($0)\n" }.joined())
        #expect(list.errors == "2 channels of com.example.app in production\n")
    }

    @Test func `deletes a channel, and succeeds if it is gone`() throws {
        let channels = try ChannelWorld()
        let channel = try channels.create()
        let first = try channels.run("delete", channel)
        #expect(first.code == 0)
        #expect(first.errors.contains("deleted a channel of com.example.app in production after "))
        #expect(channels.channelIDs.isEmpty)
        let second = try channels.run("delete", channel)
        #expect(second.code == 0)
        #expect(
            second.errors
                == "com.example.app in production has no such channel: nothing to delete\n")
    }

    @Test func `prints JSON for programs`() throws {
        let channels = try ChannelWorld()
        let created = try channels.run("create", "--storage", "latest", "--format", "json").object
        let channel = try #require(created["channel_id"] as? String)
        #expect(channels.channelIDs == [channel])
        #expect(created["verdict"] as? String == "created")
        #expect(created["storage"] as? String == "latest")
        #expect(created["bundle_id"] as? String == "com.example.app")
        #expect(created["environment"] as? String == "production")
        #expect(created["host"] as? String == "localhost:\(channels.world.port)")
        #expect(created["detail"] is NSNull && created["response"] is NSNull)
        let read = try channels.run("read", channel, "--format", "json").object
        #expect(read["verdict"] as? String == "read")
        #expect(read["storage"] as? String == "latest")
        #expect(read["push_type"] as? String == "LiveActivity")
        let listed = try channels.run("list", "--format", "json").object
        #expect(listed["channel_ids"] as? [String] == [channel])
        #expect(listed["channel_id"] == nil)
        let verdicts = try (0..<2).map { _ in
            try channels.run("delete", channel, "--format", "json").object["verdict"] as? String
        }
        #expect(verdicts == ["deleted", "gone"])
    }

    @Test func `uses the client certificate of the app`() throws {
        let channels = try ChannelWorld()
        try channels.useCertificate()
        let channel = try channels.create()
        #expect(channels.channelIDs == [channel])
    }

    @Test func `uses the proxy of the app`() throws {
        let proxy = try TunnelProxy()
        let channels = try ChannelWorld(apns: "\n  proxy: http://localhost:\(proxy.port)")
        #expect(try channels.run("list").code == 0)
        #expect(proxy.received.last == "CONNECT localhost:\(channels.world.port) HTTP/1.1")
    }

    // MARK: Production

    @Test func `asks before it changes something in production`() throws {
        // What goes through a proxy may be Apple's, whatever its name.
        let proxy = try TunnelProxy()
        let channels = try ChannelWorld(apns: "\n  proxy: http://localhost:\(proxy.port)")
        let refused = try channels.run("create")
        #expect(refused.code == 64)
        #expect(
            refused.errors
                == "error: not confirmed\n  add --yes to create a channel in production\n")
        #expect(proxy.received.isEmpty)
        let channel = try channels.create("--yes")
        #expect(try channels.run("delete", channel).code == 64)
        #expect(channels.channelIDs == [channel])
        #expect(try channels.run("read", channel).code == 0)
    }

    @Test func `changes nothing in production after a no`() throws {
        let proxy = try TunnelProxy()
        let channels = try ChannelWorld(apns: "\n  proxy: http://localhost:\(proxy.port)")
        let channel = try channels.create("--yes")
        let terminal = try PseudoTerminal()
        terminal.type("n\n")
        let no = try channels.run("delete", channel, at: terminal)
        #expect(no.code == 1)
        #expect(
            no.errors.contains(
                "Delete the channel \(channel) of com.example.app in production for good? [y/N]"))
        #expect(no.errors.hasSuffix("Nothing was deleted.\n"))
        #expect(channels.channelIDs == [channel])
        terminal.type("y\n")
        #expect(try channels.run("delete", channel, at: terminal).code == 0)
        #expect(channels.channelIDs.isEmpty)
    }
}
