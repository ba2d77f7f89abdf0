internal import Configuration
internal import Delivery
internal import JSON
internal import Mapping

/// Bytes as the value of a record, mapped by connectors that use everything there is.
enum EventTarget {
    static func run(_ bytes: [UInt8]) {
        for plan in plans {
            let first = map(bytes, plan)
            check(first)
            precondition(isEqual(first, map(bytes, plan)), "mapped otherwise at the second time")
        }
    }

    private static func map(_ bytes: [UInt8], _ plan: MappingPlan) -> MappedRecord {
        var mapper = Mapper(plan: plan)
        var mapped = MappedRecord()
        let record = Record.owning(
            assignment: AssignmentID(0), topicPartition: TopicPartition(topic: "t", partition: 0),
            offset: 7, timestamp: 1_767_261_600_000, key: Array("key".utf8), value: bytes,
            headers: [("trace", Array("abc".utf8))])
        mapper.map(record, now: 1_767_261_600_000, into: &mapped)
        return mapped
    }

    /// What is to be sent follows Apple's rules, whatever the event was.
    private static func check(_ mapped: MappedRecord) {
        precondition(mapped.isSkipped == (mapped.count == 0), "neither filtered nor mapped")
        for notification in mapped.notifications[..<mapped.count] where notification.drop == nil {
            precondition(notification.payload.count <= notification.payloadLimit)
            precondition(notification.collapseID.count <= 64)
            precondition(notification.collapseID.allSatisfy { 0x20...0x7E ~= $0 })
            precondition(!notification.destination.identifier.isEmpty)
            let characters = notification.isBroadcast ? base64 : digits
            precondition(notification.destination.identifier.allSatisfy(characters.contains))
            var tape = JSONTape()
            do throws(JSONError) {
                let span = notification.payload.span
                try tape.read(unsafe span.bytes)
            } catch {
                preconditionFailure("a payload that is no JSON: \(error)")
            }
            precondition(tape[0].kind == .object, "a payload that is no object")
        }
    }

    private static let digits = Set("0123456789abcdef".utf8)
    private static let base64 = Set(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=".utf8)

    private static func isEqual(_ left: MappedRecord, _ right: MappedRecord) -> Bool {
        left.count == right.count
            && (0..<left.count).allSatisfy { index in
                let (one, other) = (left.notifications[index], right.notifications[index])
                return one.payload == other.payload && one.drop == other.drop
                    && one.destination == other.destination && one.index == other.index
                    && one.collapseID == other.collapseID && one.expiresAt == other.expiresAt
            }
    }

    static let plans = [
        (transforms, ""), (blocks, ""), (elements, ""), (inside, #", event: "${o ?? t}""#),
        (activities, ""), (cloudEvents, ", format: cloudevents"), (canonical, ""),
    ].map { plan($0, source: $1) } + [plan(management, credential: certificate)]

    private static let key = """
        {key: "${env:KEY}", key_id: ABC123DEFG, team_id: DEF123GHIJ, bundle_id: com.example.shop,
            environment: production}
        """

    /// That of a device management server.
    private static let certificate = """
        {certificate: mdm.p12, environment: production,
            bundle_id: com.apple.mgmt.External.6d646d00-0000-4000-8000-000000000001}
        """

    /// The plan of a connector with a mapping, and with other keys of its source.
    static func plan(
        _ text: String, source: String = "", credential: String = key
    ) -> MappingPlan {
        let results =
            text.contains("\nresults:")
            ? "" : "results: {outcomes: o, unregistered: u, dead_letter: d}"
        let file =
            text + """

                source: {topics: [t], group: g\(source)}
                kafka: {bootstrap.servers: "localhost:9092"}
                apns:
                  \(credential)
                \(results)
                """
        let loaded = ConnectorFile.load(
            bytes: Array(file.utf8), path: "fuzz.yaml", environment: [:], mode: .inspect)
        guard let connector = loaded.connector else {
            preconditionFailure(Diagnostic.report(loaded.diagnostics))
        }
        return connector.plan
    }

    private static let transforms = """
        notification:
          device_token: ${t | hex}
          push_type: ${p ?? "alert"}
          priority: ${q?}
          collapse_id: ${c?}
          expiration: ${e?}
          apns_id: ${i?}
          event_time: ${w ?? @timestamp}
          policy:
            payload_too_large: truncate
            truncate: aps.alert.body
            collapse_id_too_long: hash
          payload:
            aps:
              alert:
                title: "${a | upper | trim | truncate(9)} ${b? | lower}"
                body: ${c ?? d ?? "none"}
                loc-args: ["${a | text}", "${d ?? 1}"]
              badge: ${n? | number}
            date: ${w? | date("%Y-%m-%d %H:%M:%S", z ?? "Europe/Berlin")}
            fixed: ${n? | fixed(2) | text}
            moved: ${n? | shift(-2)}
            joined: ${l? | join(",")}
            every: ${l[*].x?}
            text: ${o? | json}
            length: ${o? | length}
            state: ${s? | map(shipped = "On its way", "in transit" = 5, else = true)}
            whole: ${o?}
            value: ${@value.o[@value.s]?}
            parsed: ${t? | parse}
            members: {a: "${a?}", "...": "${o?}"}
            found: ${o[s]?}
            element: ${l[n].x ?? l[n][s] ?? "none"}
            more: ${n? | plus(9223372036854775800) | minus(-7)}
            other: ${a? | text | replace("a", "\\u00e9a") | replace("aa", "")}
        """

    private static let blocks = """
        match: all
        when: {"$or": [{a: [{wildcard: "*x*"}]}, {n: [{numeric: [">", 0, "<=", 1e3]}]}]}
        notifications:
          - when: {l: {x: [{prefix: a}], y: [{anything-but: [b, c]}]}, "@key": [key]}
            device_tokens: ${l[*].x}
            ttl: 90s
            payload: {aps: {alert: "${a ?? 'a'}"}}
          - device_tokens: ${t}
            ttl: ${e ?? 60}
            expiration: 0
            push_type: voip
            payload: ${o}
        """

    private static let elements = """
        match: all
        when: {"@value": [null]}
        notifications:
          - for_each: {items: "${l ?? o.l}", as: e, when: {x: [{anything-but: b}]}}
            device_token: ${e.x}
            collapse_id: ${e.c?}
            event_time: ${e.w ?? w?}
            payload: {aps: {alert: "${o[e.s] ?? a ?? 'a'}", badge: "${e.n ?? n?}"}, e: "${e}"}
          - device_tokens: ${l[*].x}
            ttl: 4h
            payload: {aps: {badge: 1}}
          - for_each: {items: "${t}", as: t}
            device_token: ${t.x}
            ttl: 4h
            payload: {aps: {badge: 1}, e: "${t.l[*].x?}"}
        """

    private static let inside = """
        when: {"$or": [{a: [{exists: true}]}, {l: {x: [{exists: true}]}}]}
        notification:
          device_tokens: ${l[*].x ?? t}
          ttl: 4h
          payload: {aps: {alert: "${a ?? 'a'}"}, k: "${@key}"}
        """

    private static let activities = """
        match: all
        notifications:
          - device_token: ${t}
            priority: ${q?}
            ttl: 4h
            event_time: ${w?}
            live_activity:
              event: ${p}
              timestamp: ${e?}
              content_state: ${o ?? s}
              attributes_type: ${s}
              attributes: {a: "${a?}", l: "${l[*].x?}"}
              stale_after: ${q?}
              dismissal_date: ${w?}
              relevance_score: ${n?}
              input_push_channel: ${c?}
              alert: {title: "${a ?? 'a'}", body: "${c?}"}
          - for_each: {items: "${l}", as: e}
            device_token: ${e.x}
            priority: 5
            ttl: 4h
            event_time: ${e.w?}
            live_activity: {event: end, content_state: "${o?}", stale_date: "${e.n?}"}
        """

    private static let cloudEvents = """
        notification:
          device_token: ${t}
          ttl: 4h
          payload: {aps: {alert: "${a | text}"}, id: "${@ce.id}"}
        """

    private static let canonical = ""

    private static let management = """
        notification:
          device_token: ${t}
          ttl: ${q ?? "4h"}
          push_type: ${p ?? "mdm"}
          payload: {mdm: "${s ?? o.s}"}
        """
}
