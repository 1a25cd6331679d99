import Encodings
import Foundation
import TestSupport
import Testing

private let realInfo = Repository.path("../shared/real/apps/chatr-Info.plist")
private let realEntitlements = Repository.path("../shared/real/apps/chatr.entitlements")

extension RealProcesses {
  /// Tests `sluice criteria`.
  @Suite struct CriteriaCommandTests {
    /// Criteria that need a program that has not been built.
    private static let withoutPrograms: Set<String> = ServerPrograms.areBuilt ? [] : ["MA-5"]

    private let desk: Desk

    init() throws { desk = try Desk() }

    /// The criteria of shipped scenarios, except those that need a program that has not been built.
    private static let shown: Set<String> = {
      let lines = Repository.scenarios.flatMap {
        ((try? Repository.read($0)) ?? "").split(separator: "\n")
      }
      let named = lines.compactMap { line -> String? in
        let parts = line.split(separator: " ")
        return parts.first == "criterion:" ? parts.last.map(String.init) : nil
      }
      return Set(named).subtracting(withoutPrograms)
    }()

    @Test
    func `criteria with scenarios pass, and criteria without scenarios are listed as not covered`()
      throws
    {
      let certificate = try desk.sluice("criteria", "--format", "json", ends: 0).json()
      #expect(certificate["holds"]?.bool == true)
      let criteria = try #require(certificate["criteria"]?.array)
      let ids = criteria.compactMap { $0["id"]?.string }
      #expect(Set(ids).count == 44)
      for criterion in criteria {
        let verdict = try #require(criterion["verdict"]?.string)
        if Self.withoutPrograms.contains(try #require(criterion["id"]?.string)) {
          #expect(verdict == "not run")
          continue
        }
        #expect(["passed", "not covered"].contains(verdict), "\(criterion["id"]?.string ?? "")")
        #expect((criterion["checks"]?.array?.isEmpty == true) == (verdict == "not covered"))
      }
      let passed = criteria.filter { $0["verdict"]?.string == "passed" }
      #expect(Self.shown.subtracting(passed.compactMap { $0["id"]?.string }) == [])
      let walk = criteria.first { $0["id"]?.string == "SWITCH-1" }
      #expect(walk?["checks"]?.array?.first?["title"]?.string == "a random walk of 500 steps")
    }

    @Test func `the last line of the criteria report counts the selected criteria`() throws {
      let ended = try desk.sluice("criteria", "--filter", "PRINT-1", "PRINT-2", ends: 0)
      #expect(ended.lines.last?.hasPrefix("2 criteria: 2 passed, in ") == true)
    }

    @Test func `sluice criteria shows the failed expectation of an unmet criterion`() throws {
      let text = try Repository.read("scenarios/criteria/PRINT.yaml")
      try desk.folder.write(
        text.replacing("decidedBy: printingBlocked", with: "decidedBy: printingAllowed"),
        to: "own/PRINT.yaml")
      let ended = try desk.sluice(
        "criteria", "--scenarios", "own", "--filter", "PRINT-1", "PRINT-2", ends: 1)
      #expect(ended.output.contains("  PRINT-1    failed"))
      #expect(ended.output.contains("  PRINT-2    passed"))
      #expect(
        ended.output.contains(
          "expected deciding rule printingAllowed, found deciding rule printingBlocked"))
    }

    // MARK: The user's own app

    private func certificate(
      for app: DamagedApp, only ids: [String]
    ) throws -> (ended: Desk.Ended, json: JSONValue) {
      try app.write(to: desk.folder, as: "Own.app")
      let ended = try desk.sluice(
        ["criteria", "--for", "Own.app", "--format", "json", "--filter"] + ids)
      return (ended, try ended.json())
    }

    @Test(arguments: DamagedApp.allCases)
    func `an app under test fails only the criteria that its defects affect`(
      app: DamagedApp
    ) throws {
      let (ended, certificate) = try certificate(for: app, only: DamagedApp.tried)
      let failed = certificate["criteria"]?.array?.filter { $0["verdict"]?.string == "failed" }
      #expect(failed?.compactMap { $0["id"]?.string } == app.failing, "\(ended.output)")
      #expect(ended.status == (app.failing.isEmpty ? 0 : 1))
      #expect(certificate["holds"]?.bool == app.failing.isEmpty)
      // Every failure must have a reason.
      for criterion in failed ?? [] {
        let complaints = criterion["checks"]?.array?.flatMap { $0["complaints"]?.array ?? [] }
        #expect(complaints?.isEmpty == false, "\(criterion["id"]?.string ?? "")")
      }
    }

    @Test func `a valid app passes all criteria about its own documents`()
      throws
    {
      try DamagedApp.healthy.write(to: desk.folder, as: "Own.app")
      let certificate = try desk.sluice("criteria", "--for", "Own.app", "--format", "json", ends: 0)
        .json()
      #expect(certificate["bundle"]?.string == "org.example.notekeeper")
      let criteria = try #require(certificate["criteria"]?.array)
      let others = criteria.filter { $0["verdict"]?.string != "passed" }
      #expect(
        others.compactMap { $0["id"]?.string } == [
          "CONFIG-1", "SWITCH-1", "MA-1", "MA-2", "MA-3", "MA-4", "MA-5", "MA-6",
        ])
      #expect(others.allSatisfy { $0["verdict"]?.string == "not run" })
      #expect(criteria.allSatisfy { $0["notTried"]?.array?.isEmpty == false })
    }

    @Test func `sluice criteria tests the app in each role that a criterion offers`() throws {
      let (_, certificate) = try certificate(
        for: .healthy, only: ["COPY-1", "RECEIVE-2", "RECEIVE-4"])
      let titles = certificate["criteria"]?.array?.map { criterion in
        (criterion["checks"]?.array ?? []).compactMap { check -> String? in
          check["title"]?.string.flatMap { $0.split(separator: "(").last.map(String.init) }
        }
      }
      #expect(
        titles == [
          ["as mail)", "as notes, public.plain-text)"],
          [
            "by `Open in`, public.plain-text)",
            "by org.example.notekeeper.savenote, public.plain-text)",
          ],
          [
            "by `Copy to`, public.plain-text)",
            "by org.example.notekeeper.savenote, public.plain-text)",
          ],
        ])
    }

    @Test func `criteria that were not tested are reported with the reason`() throws {
      let (_, single) = try certificate(for: .oneIdentity, only: ["SEND-3", "SWITCH-1"])
      let criteria = try #require(single["criteria"]?.array)
      #expect(criteria.allSatisfy { $0["verdict"]?.string == "not run" })
      let reasons = criteria.map { $0["notTried"]?.array?.first?.string ?? "" }
      #expect(reasons[0] == "the criterion uses three apps of its own")
      #expect(reasons[1].contains("`MultiIdentity`"))
    }

    @Test
    func `the criteria report names the scenario app whose bundle id equals the tested app's`()
      throws
    {
      try desk.folder.write(
        #"<plist version="1.0"><dict><key>CFBundleIdentifier</key><string>org.example.Viewer</string>"#
          + "<key>IntuneMAMSettings</key><dict><key>MultiIdentity</key><true/></dict></dict></plist>",
        to: "Own.app/Info.plist")
      let ended = try desk.sluice("criteria", "--for", "Own.app", "--filter", "SEND-1", ends: 1)
      #expect(
        ended.output.contains(
          "not tried: the scenario's own app `viewer` also has the bundle id `org.example.Viewer`; "
            + "use a copy of the bundle with another id"))
    }

    @Test func `criteria about receiving are skipped for a send-only app, with a note`() throws {
      let (ended, certificate) = try certificate(for: .sender, only: ["COPY-1", "RECEIVE-2"])
      #expect(ended.status == 0)
      let criteria = try #require(certificate["criteria"]?.array)
      #expect(criteria.map { $0["verdict"]?.string } == ["passed", "not run"])
      #expect(
        criteria[0]["notTried"]?.array?.first?.string == "as notes: the app opens no documents")
    }

    @Test func `a bundle defect that fails many criteria is reported once`() throws {
      try DamagedApp.withoutSDK.write(to: desk.folder, as: "Own.app")
      let ended = try desk.sluice("criteria", "--for", "Own.app", ends: 1)
      #expect(ended.lines.count { $0.contains("`IntuneMAMSettings` is missing") } == 1)
      #expect(ended.lines.last?.contains("38 failed, 6 not run") == true)
    }

    @Test func `the reason why an extension without the SDK fails names the missing key`() throws {
      let (_, certificate) = try certificate(
        for: .sharesWithoutSDK, only: ["RECEIVE-1", "RECEIVE-2"])
      for criterion in try #require(certificate["criteria"]?.array) {
        let complaints = (criterion["checks"]?.array ?? []).flatMap { check in
          (check["complaints"]?.array ?? []).compactMap(\.string)
        }
        #expect(
          complaints == [
            "the `Info.plist` of `org.example.notekeeper.savenote` lacks `IntuneMAMSettings`, so no policy "
              + "applies in the extension"
          ])
      }
    }

    // MARK: Formats

    @Test func `sluice criteria writes its certificate as JUnit, JSON and plain text in one run`()
      throws
    {
      try DamagedApp.withoutPlugIns.write(to: desk.folder, as: "Own.app")
      let ended = try desk.sluice(
        "criteria", "--for", "Own.app", "--filter", "SEND-1", "COPY-1", "--color", "always",
        "--output", "junit=report.xml", "--output", "json=report.json", "--output",
        "text=report.txt", ends: 1)
      let plain = try desk.folder.read("report.txt")
      #expect(plain.contains("  COPY-1     failed"))
      #expect(ended.output.contains("\u{1B}[") && !plain.contains("\u{1B}"))
      #expect(try JSONReader.read(desk.folder.read("report.json"))["holds"]?.bool == false)
      let cases = try desk.folder.read("report.xml").split(separator: "<testcase").dropFirst()
      #expect(cases.count == 2)
      for test in cases {
        #expect(test.contains("<system-out>") && test.contains("not tried: the app"))
      }
      #expect(cases.last?.contains("share blocked by sendManagedAppsToUnmanaged") == true)
    }

    @Test func `sluice criteria rejects an unwritable output file and an unknown output format`()
      throws
    {
      let lost = try desk.sluice(
        "criteria", "--filter", "PRINT-1", "--output", "json=none/report.json", ends: 2)
      #expect(
        lost.errors
          == "none/report.json: error: cannot be written: no such file or directory [file]\n")
      try desk.sluice("criteria", "--filter", "PRINT-1", "--output", "tap=report.tap", ends: 64)
    }

    @Test(
      .enabled(
        if: FileManager.default.fileExists(atPath: realInfo),
        "there is no ../shared/real/apps"))
    func `sluice criteria tests a third-party app's source bundle if build variables are set`()
      throws
    {
      try desk.folder.write("", to: "Chatr.app/.here")
      for (name, file) in [("Info.plist", realInfo), ("Chatr.entitlements", realEntitlements)] {
        try desk.folder.link("Chatr.app/\(name)", to: file)
      }
      let unset = try desk.sluice("criteria", "--for", "Chatr.app", ends: 2)
      #expect(
        unset.errors.contains(
          "`CFBundleIdentifier` is `$(PRODUCT_BUNDLE_IDENTIFIER)`; set the values of build variables"
        )
      )
      let certificate = try desk.sluice(
        "criteria", "--for", "Chatr.app", "--set", "PRODUCT_BUNDLE_IDENTIFIER=com.example.chatr",
        "--format", "json", ends: 0
      ).json()
      #expect(certificate["bundle"]?.string == "com.example.chatr")
      #expect(certificate["holds"]?.bool == true)
    }

    @Test func `sluice criteria rejects an extension and the id of an unknown criterion`() throws {
      let plugin = try desk.sluice(
        "criteria", "--for", Repository.path("plugins/Shout.appex"), ends: 2)
      #expect(plugin.errors.contains("this is an extension; criteria apply only to apps [bundle]"))
      let unknown = try desk.sluice("criteria", "--filter", "SEND-9", ends: 2)
      #expect(unknown.errors.contains("no criterion is called `SEND-9`"))
      let near = try desk.sluice("criteria", "--filter", "SEND1")
      #expect(
        near.errors
          == "sluice: error: no criterion is called `SEND1`; did you mean `SEND-1`? [only]\n")
    }
  }
}
