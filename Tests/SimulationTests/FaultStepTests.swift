import Model
import Scenario
import SimulationSupport
import Testing

extension RealProcesses {
  /// Tests faults at every point of a transfer. With every fault, each request has one decision and
  /// one end, the journal is complete and reproducible, and unaffected guests continue.
  @Suite struct FaultStepTests {
    /// A fault during a share from `viewer` to `other`, and the end of the share.
    struct FaultTrial: Sendable, CustomTestStringConvertible {
      let fault: String
      let point: FaultPoint
      let end: String
      /// The guests that have exited.
      var ended: [String] = []

      var testDescription: String { "\(fault) at \(point)" }
    }

    private static func strikes(
      _ fault: String, ended: [String] = [], ends: [FaultPoint: String] = [:]
    ) -> [FaultTrial] {
      FaultPoint.allCases.map {
        FaultTrial(fault: fault, point: $0, end: ends[$0] ?? "delivered", ended: ended)
      }
    }

    /// A receiver that exits before it confirms the item does not have the item.
    private static let lost: [FaultPoint: String] = [
      .decided: "undeliverable", .delivered: "undeliverable",
    ]

    static let all: [FaultTrial] =
      strikes("kind: kill, app: viewer", ended: ["viewer"])
      + strikes("kind: kill, app: other", ended: ["other"], ends: lost)
      + strikes("kind: halfFrame, app: viewer", ended: ["viewer"])
      + strikes("kind: halfFrame, app: other", ended: ["other"], ends: lost)
      + strikes("kind: stop, app: viewer") + strikes("kind: stop, app: other")
      + strikes("kind: slowReader, app: viewer") + strikes("kind: slowReader, app: other")
      + strikes("kind: dropAnswer, app: viewer")
      + strikes("kind: clockJump, by: PT1H")
      + strikes("kind: policy, account: anna")
      + strikes("kind: fullDisk", ended: ["viewer", "other", "mail"], ends: lost)
      + strikes("kind: restartHost", ended: ["viewer", "other", "mail"], ends: lost)

    private func play(_ strike: FaultTrial) throws -> StageResult {
      let restarts = strike.ended.map { "launch: \($0)" }
      let steps =
        [
          "launch: [viewer, other, mail]",
          "fault: { \(strike.fault), at: \(strike.point) }",
          """
          share: { from: viewer, to: other, text: Directions }
              expect: { verdict: allowed, end: \(strike.end) }
          """,
        ] + restarts + [
          "{ share: { from: viewer, to: other, text: Again }, expect: { end: delivered, received: Again } }",
          "{ share: { from: other, to: viewer, text: Back }, expect: { end: delivered, received: Back } }",
        ]
      return try Stage.play(steps)
    }

    @Test(arguments: all)
    func `under every fault, each request has one decision and one end, and runs are reproducible`(
      strike: FaultTrial
    ) throws {
      let result = try play(strike)
      expectPass(result)
      let events = try events(of: result)
      #expect(events.map(\.sequence) == Array(1...events.count))
      let kinds = events.map(\.kind)
      let decided = kinds.compactMap(\.decidedRequest)
      let ended = kinds.compactMap(\.endedRequest)
      #expect(Set(decided).count == decided.count)
      #expect(decided.sorted() == ended.sorted())
      let struck = kinds.filter { if case .faultInjected = $0 { true } else { false } }
      #expect(struck.count == 1)
      #expect(kinds.last == .deviceStopped)
      #expect(try play(strike).journals == result.journals)
    }

    // MARK: Changes during a transfer

    /// Two running managed apps.
    private static let managed = """
      accounts:
        anna: { upn: anna@contoso.com }
      policies:
        base:
          json: { displayName: Base, appDataEncryptionType: whenDeviceLocked }
          assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.notes] }]
      apps:
        mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
        notes: { bundle: com.contoso.notes, sdk: true, signedIn: [anna] }
      steps:
      - launch: [mail, notes]
      """

    /// A managed app shares with another while a wipe removes the account from one of them.
    private func wipe(
      _ app: String, _ point: FaultPoint, on stage: Stage
    ) throws -> StageResult {
      try stage.play(
        text: Self.managed + """

          - fault: { kind: wipe, app: \(app), account: anna, at: \(point) }
          - share: { from: mail, to: notes, text: Quarterly figures }
            expect: { verdict: allowed, end: delivered }
          - residue: { account: anna, canaries: [Quarterly figures], apps: [\(app)] }

          """)
    }

    @Test(arguments: FaultPoint.allCases)
    func `an account can be wiped at each stage of a transfer`(
      point: FaultPoint
    ) throws {
      // Journals cite the file's path.
      let stage = try Stage()
      for app in ["mail", "notes"] {
        let result = try wipe(app, point, on: stage)
        expectPass(result)
        #expect(try wipe(app, point, on: stage).journals == result.journals)
        #expect(
          try events(of: result).map(\.kind).contains {
            if case .accountWiped = $0 { true } else { false }
          })
      }
    }

    @Test(arguments: FaultPoint.allCases, FaultPoint.allCases)
    func `during a transfer, the account can be wiped in both sender and receiver`(
      first: FaultPoint, second: FaultPoint
    ) throws {
      let stage = try Stage()
      let result = try stage.play(text: Self.bothWiped(first, second))
      expectPass(result)
      let answers = try events(of: result).compactMap { event in
        if case .wipeAdvanced(_, _, "answered", let answer) = event.kind { answer } else { nil }
      }
      #expect(answers == Array(repeating: "the app leaves the files to the SDK", count: 2))
    }

    private static func bothWiped(_ first: FaultPoint, _ second: FaultPoint) -> String {
      managed + """

        - fault: { kind: wipe, app: mail, account: anna, at: \(first) }
        - fault: { kind: wipe, app: notes, account: anna, at: \(second) }
        - share: { from: mail, to: notes, text: Quarterly figures }
        - residue: { account: anna, canaries: [Quarterly figures] }

        """
    }

    private func events(of result: StageResult) throws -> [JournalEvent] {
      try result.journals[0].split(separator: "\n").map { try JournalEvent(line: String($0)) }
    }

    // MARK: Random faults

    private func drawn(_ seed: UInt64) throws -> (journal: String, points: [String]) {
      var stage = try Stage()
      stage.seed = seed
      let result = try stage.play(
        text: """
          apps:
            a: { bundle: org.example.a }
            b: { bundle: org.example.b }
          steps:
            - launch: [a, b]
            - fault: { kind: slowReader, at: drawn }
            - fault: { kind: slowReader, at: drawn }
            - fault: { kind: slowReader, at: drawn }
            - share: { from: a, to: b, text: Directions }

          """)
      expectPass(result)
      let points = try events(of: result).compactMap { event in
        if case .faultInjected(_, let point, let guest) = event.kind {
          "\(point) \(guest ?? "")"
        } else {
          nil
        }
      }
      return (result.journals[0], points)
    }

    @Test func `the seed determines the transfers and guests that random faults hit`() throws {
      let runs = try (1...6 as ClosedRange<UInt64>).map(drawn)
      #expect(try drawn(1).journal == runs[0].journal)
      #expect(runs.allSatisfy { $0.points.count == 3 })
      #expect(Set(runs.map(\.points)).count > 1)
      #expect(Set(runs.flatMap(\.points)).count > 3)
    }

    // MARK: Faults that do not trigger

    @Test func `a case with an untriggered fault has the outcome errored`() throws {
      let result = try Stage.play(
        "launch: [viewer, other]",
        "fault: { kind: kill, app: other, at: delivered }",
        "copy: { app: other, text: Directions }"
      ).result
      #expect(result.outcome == .errored)
      #expect(
        result.steps.map(\.failures) == [
          [],
          [
            "the fault did not trigger: other is killed when a transfer of other is delivered"
          ], [],
        ])
    }

    static let waiting =
      [
        Steps(
          "a fault waits for a transfer of its guest, even after a restart",
          "launch: [viewer, other, mail]",
          "fault: { kind: kill, app: other, at: halfAcknowledged }",
          "{ share: { from: mail, to: viewer, text: Directions }, expect: { end: delivered } }",
          "restart: device",
          "launch: [viewer, other]",
          "{ share: { from: viewer, to: other, text: Directions }, expect: { end: delivered } }",
          "{ stop: other, expect: { exit: signalled } }")
      ]
      + [FaultPoint.decided, .delivered].map { point in
        Steps(
          "an app that is started for an item is struck, too, when it is \(point)",
          "launch: viewer", "fault: { kind: kill, app: other, at: \(point) }",
          "{ share: { from: viewer, to: other, text: Directions }, expect: { end: undeliverable } }",
          "launch: other",
          "{ share: { from: viewer, to: other, text: Again }, expect: { received: Again } }")
      }

    @Test(arguments: waiting) func `a fault is triggered by the transfer that it waits for`(
      steps: Steps
    ) throws {
      expectPass(try Stage.play(steps.lines))
    }

    @Test func `faults armed after a restartHost fault still hit later transfers`() throws {
      let result = try Stage.play(
        "launch: [viewer, other]",
        "fault: { kind: restartHost, at: decided }",
        "fault: { kind: kill, app: other, at: decided }",
        "fault: { kind: kill, app: viewer, at: delivered }",
        "{ share: { from: viewer, to: other, text: Directions }, expect: { end: undeliverable } }",
        "launch: [viewer, other]",
        "{ share: { from: viewer, to: other, text: Again }, expect: { end: undeliverable } }",
        "{ stop: viewer, expect: { exit: signalled } }")
      expectPass(result)
      let struck = try events(of: result).compactMap { event in
        if case .faultInjected(let kind, _, let guest) = event.kind {
          "\(kind) \(guest ?? "")"
        } else {
          nil
        }
      }
      #expect(struck == ["restartHost ", "kill other", "kill viewer"])
    }
  }
}

extension JournalEvent.Kind {
  fileprivate var decidedRequest: Int? {
    if case .decided(let decision) = self { decision.request } else { nil }
  }

  fileprivate var endedRequest: Int? {
    if case .ended(let request, _, _, _) = self { request } else { nil }
  }
}
