import Conformance
import Policy
import Simulation
import TestSupport
import Testing

/// Tests that start processes.
@Suite(.ownThreads) struct RealProcesses {}

extension RealProcesses {
  /// Random walks over identities, transfers, files and accounts; see criterion SWITCH-1.
  @Suite struct WalkTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func walk(
      seed: UInt64, steps: Int, policies: [PolicyDocument] = [], claimed: Settings? = nil,
      faults: WalkFaults = .none
    ) throws -> WalkReport {
      let settings = RunSettings(
        programs: .installed(in: Repository.programs), folder: workspace.path)
      return try Walk(
        settings, seed: seed, steps: steps, policies: policies, claimed: claimed, faults: faults
      ).run()
    }

    private func document(_ change: (inout Settings) -> Void) -> PolicyDocument {
      var document = PolicyDocument(displayName: "Base", file: "base.json")
      document.settings = Self.strict
      change(&document.settings)
      return document
    }

    private static let strict: Settings = {
      var settings = Settings()
      settings.allowedOutboundDataTransferDestinations = .managedApps
      settings.allowedInboundDataTransferSources = .managedApps
      settings.allowedOutboundClipboardSharingLevel = .managedApps
      settings.appDataEncryptionType = .whenDeviceLocked
      return settings
    }()

    @Test
    func
      `org data stays with the organisation and other data is unrestricted over thousands of steps`()
      throws
    {
      let report = try walk(seed: 2, steps: 2_500 * thoroughness)
      #expect(report.failure == nil, "\(report.text())")
      #expect(report.steps == 2_500 * thoroughness)
    }

    @Test func `walks with equal seeds have the same report`() throws {
      let first = try walk(seed: 7, steps: 300)
      #expect(try walk(seed: 7, steps: 300).text() == first.text())
      #expect(try walk(seed: 8, steps: 300).text() != first.text())
    }

    @Test
    func `under random faults, org data does not leak, and no item is lost or duplicated`()
      throws
    {
      let report = try walk(seed: 12, steps: 1_250 * thoroughness, faults: .drawn)
      #expect(report.failure == nil, "\(report.text())")
      #expect(report.steps == 1_250 * thoroughness)
      #expect(report.text().contains("\n  fault "))
    }

    @Test func `a failing walk with faults is shrunk and is reproducible with the same faults`()
      throws
    {
      let open = document { $0.allowedOutboundDataTransferDestinations = .allApps }
      let report = try walk(
        seed: 3, steps: 2_000, policies: [open], claimed: Self.strict, faults: .drawn)
      let failure = try #require(report.failure)
      #expect(failure.steps.count <= 6, "\(report.text())")
      let again = try walk(
        seed: failure.seed, steps: failure.step, policies: [open], claimed: Self.strict,
        faults: .drawn)
      #expect(again.failure?.steps == failure.steps)
      #expect(report.text(options: " --faults").contains(" --faults\n"))
    }

    @Test func `a walk finds a leak and is shrunk to the necessary steps`() throws {
      let open = document { $0.allowedOutboundDataTransferDestinations = .allApps }
      let report = try walk(seed: 3, steps: 2_000, policies: [open], claimed: Self.strict)
      let failure = try #require(report.failure)
      #expect(failure.invariant == "protected")
      #expect((2...5).contains(failure.steps.count), "\(report.text())")
      #expect(report.text().contains("again: sluice walk --seed \(failure.seed) --steps "))
      let again = try walk(
        seed: failure.seed, steps: failure.step, policies: [open], claimed: Self.strict)
      #expect(again.steps == failure.step)
      #expect(again.failure?.steps == failure.steps)
    }

    @Test func `a walk finds a leak through an unrestricted pasteboard`() throws {
      let open = document { $0.allowedOutboundClipboardSharingLevel = .allApps }
      let failure = try #require(try walk(seed: 4, steps: 2_000, policies: [open]).failure)
      #expect(failure.invariant == "protected")
      #expect(failure.steps.count <= 5)
      #expect(failure.steps.contains { $0.contains("copies") })
      #expect(failure.steps.contains { $0.contains("pastes") })
    }

    @Test func `a walk finds work account data in an unencrypted file`() throws {
      let plain = document { $0.appDataEncryptionType = .useDeviceSettings }
      let report = try walk(seed: 5, steps: 2_000, policies: [plain], claimed: Self.strict)
      let failure = try #require(report.failure)
      #expect(failure.invariant == "protected")
      #expect(failure.sentence.hasSuffix("contains an unencrypted text of the work account"))
      #expect(failure.steps.count <= 4, "\(report.text())")
    }

    @Test func `a walk reports a Receive setting that is stricter than in the predicted policy`()
      throws
    {
      var claimed = Self.strict
      claimed.allowedInboundDataTransferSources = .allApps
      let report = try walk(seed: 6, steps: 2_000, policies: [document { _ in }], claimed: claimed)
      let failure = try #require(report.failure)
      #expect(failure.invariant == "predicted")
      #expect(failure.steps.count <= 5, "\(report.text())")
    }
  }

  /// Random walks over the apps of a scenario, verified by the search for leaks.
  @Suite struct WorldWalkTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func walk(
      over file: String, seed: UInt64, steps: Int, claiming claimed: String? = nil
    ) throws -> WalkReport {
      let settings = RunSettings(
        programs: .installed(in: Repository.programs), folder: workspace.path)
      return try WorldWalk(over: file, settings, seed: seed, steps: steps, claiming: claimed).walk()
    }

    private func world(_ name: String, destinations: String) throws -> String {
      try workspace.write(
        """
        accounts:
          anna: { upn: anna@contoso.com }
          private: { upn: anna@example.org }
        policies:
          base:
            json:
              displayName: Base
              allowedOutboundDataTransferDestinations: \(destinations)
              allowedOutboundClipboardSharingLevel: managedAppsWithPasteIn
            assign: [{ account: anna, apps: [com.contoso.mail, com.contoso.notes] }]
        apps:
          mail: { bundle: com.contoso.mail, sdk: true, signedIn: [anna] }
          notes: { bundle: com.contoso.notes, sdk: true, multiIdentity: true, signedIn: [anna] }
          viewer: { bundle: org.example.viewer }
        cases:
          - name: nothing
            steps: [{ launch: mail }]
        """, to: name)
    }

    @Test
    func `a walk reports data that an unmanaged app forwards to an app that no query reaches`()
      throws
    {
      // The search for leaks ends in the browser. Only a query follows data from there.
      func file(_ name: String, apps others: String) throws -> String {
        try workspace.write(
          """
          accounts:
            anna: { upn: anna@contoso.com }
          policies:
            base:
              json: { displayName: Base, allowedOutboundDataTransferDestinations: allApps }
              assign: [{ account: anna, apps: [com.contoso.notes] }]
          apps:
            notes: { bundle: com.contoso.notes, sdk: true, signedIn: [anna] }
            browser: { bundle: org.example.browser }
          \(others)
          cases:
            - name: nothing
              steps: [{ launch: notes }]
          """, to: name)
      }
      let all = try file("all.yaml", apps: "  viewer: { bundle: org.example.viewer }")
      let few = try file("few.yaml", apps: "")
      func findings(claiming claimed: String? = nil) throws -> Set<String> {
        let settings = RunSettings(
          programs: .installed(in: Repository.programs), folder: workspace.path)
        return try WorldWalk(over: all, settings, seed: 1, steps: 1, claiming: claimed).findings(
          after: [
            "launch: [notes, browser, viewer]", "share: { from: notes, to: browser, text: budget }",
            "share: { from: browser, to: viewer, item: received }",
          ])
      }
      #expect(try findings() == [])
      #expect(
        try findings(claiming: few) == ["data of anna@contoso.com reached viewer from notes"])
    }

    @Test(arguments: ["accounts", "extensions", "identities", "lineage", "other-organisation"])
    func `in a walk over a scenario, data reaches only endpoints that the leak search predicts`(
      name: String
    ) throws {
      let file = Repository.path("scenarios/\(name).yaml")
      let report = try walk(over: file, seed: 3, steps: 1_000)
      #expect(report.failure == nil, "\(report.text())")
      #expect(report.steps == 1_000)
    }

    @Test func `walks over a scenario with equal seeds have the same report`() throws {
      let file = try world("world.yaml", destinations: "managedApps")
      let first = try walk(over: file, seed: 7, steps: 300)
      #expect(try walk(over: file, seed: 7, steps: 300).text() == first.text())
      #expect(try walk(over: file, seed: 8, steps: 300).text() != first.text())
    }

    @Test func `a walk shrinks a path missed by the leak search to at most six steps`() throws {
      let open = try world("open.yaml", destinations: "allApps")
      let strict = try world("strict.yaml", destinations: "managedApps")
      let report = try walk(over: open, seed: 1, steps: 2_000, claiming: strict)
      let failure = try #require(report.failure)
      #expect(failure.sentence.hasPrefix("data of anna@contoso.com reached "))
      #expect(failure.steps.count <= 6, "\(failure.steps)")
      #expect(report.text().contains("again: sluice walk \(open) --seed "))
    }
  }
}
