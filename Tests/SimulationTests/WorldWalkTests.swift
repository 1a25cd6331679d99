import Simulation
import TestSupport
import Testing

extension RealProcesses {
  /// Random walks over the apps of a scenario, which the search for leaks judges.
  @Suite struct WorldWalkTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    private func walk(
      over file: String, seed: UInt64, steps: Int, claiming claimed: String? = nil
    ) throws -> WorldWalkReport {
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

    @Test func `data that an unmanaged app hands on to an app that no query reaches are found`()
      throws
    {
      // The search for leaks ends in the browser. Only a query says where data go from there.
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
        try findings(claiming: few) == ["data of anna@contoso.com came from notes to viewer"])
    }

    @Test(arguments: ["accounts", "extensions", "identities", "lineage", "other-organisation"])
    func `data come to no place that the search finds out of reach`(name: String) throws {
      let file = Repository.path("scenarios/\(name).yaml")
      let report = try walk(over: file, seed: 3, steps: 1_000)
      #expect(report.failure == nil, "\(report.text(of: file))")
      #expect(report.steps == 1_000)
    }

    @Test func `the same seed walks the same way`() throws {
      let file = try world("world.yaml", destinations: "managedApps")
      let first = try walk(over: file, seed: 7, steps: 300)
      #expect(try walk(over: file, seed: 7, steps: 300).text(of: file) == first.text(of: file))
      #expect(try walk(over: file, seed: 8, steps: 300).text(of: file) != first.text(of: file))
    }

    @Test func `a way that the search does not find is found, in few steps`() throws {
      let open = try world("open.yaml", destinations: "allApps")
      let strict = try world("strict.yaml", destinations: "managedApps")
      let report = try walk(over: open, seed: 1, steps: 2_000, claiming: strict)
      let failure = try #require(report.failure)
      #expect(failure.sentence.hasPrefix("data of anna@contoso.com reached "))
      #expect(failure.steps.count <= 6, "\(failure.steps)")
      #expect(report.text(of: open).contains("again: sluice walk \(open) --seed "))
    }
  }
}
