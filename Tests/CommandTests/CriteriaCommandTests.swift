import Foundation
import JSON
import TestSupport
import Testing

private let realInfo = Repository.path("../shared/real/apps/chatr-Info.plist")
private let realEntitlements = Repository.path("../shared/real/apps/chatr.entitlements")

extension RealProcesses {
  /// `sluice criteria`.
  @Suite struct CriteriaCommandTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test func `all criteria that scenarios show are passed, and the others named`() throws {
      let ended = try desk.sluice("criteria", "--format", "json")
      #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
      let certificate = try JSONReader.read(ended.output)
      #expect(certificate["holds"]?.bool == true)
      let criteria = try #require(certificate["criteria"]?.array)
      let ids = criteria.compactMap { $0["id"]?.string }
      #expect(Set(ids).count == 44)
      for criterion in criteria {
        let verdict = try #require(criterion["verdict"]?.string)
        #expect(["passed", "not covered"].contains(verdict), "\(criterion["id"]?.string ?? "")")
        #expect((criterion["checks"]?.array?.isEmpty == true) == (verdict == "not covered"))
      }
      let walk = criteria.first { $0["id"]?.string == "SWITCH-1" }
      #expect(
        walk?["checks"]?.array?.first?["title"]?.string == "a random walk of 500 steps")
    }

    /// Whatever a shipped scenario calls a criterion stands in the certificate.
    @Test func `every criterion of a shipped case is run`() throws {
      let texts = try Repository.scenarios.map {
        try String(contentsOfFile: Repository.path($0), encoding: .utf8)
      }
      let named = Set(
        texts.flatMap { $0.split(separator: "\n") }.compactMap { line -> String? in
          let parts = line.split(separator: " ")
          return parts.first == "criterion:" ? parts.last.map(String.init) : nil
        })
      let ended = try desk.run(Desk.program, ["criteria", "--only"] + named.sorted())
      #expect(ended.status == 0, "\(ended.errors)")
      #expect(
        ended.lines.last?.hasPrefix("\(named.count) criteria: \(named.count) passed, in ") == true)
    }

    @Test func `what does not hold is failed, with what was found`() throws {
      let text = try String(
        contentsOfFile: Repository.path("scenarios/criteria/PRINT.yaml"), encoding: .utf8)
      try desk.folder.write(
        text.replacing("decidedBy: printingBlocked", with: "decidedBy: printingAllowed"),
        to: "own/PRINT.yaml")
      let ended = try desk.sluice(
        "criteria", "--scenarios", "own", "--only", "PRINT-1", "PRINT-2")
      #expect(ended.status == 1)
      #expect(ended.output.contains("  PRINT-1    failed"))
      #expect(ended.output.contains("  PRINT-2    passed"))
      #expect(
        ended.output.contains(
          "expected deciding rule printingAllowed, found deciding rule printingBlocked"))
    }

    @Test func `an own app takes the place of the one under test where it fits`() throws {
      let app = Repository.path("examples/NoteKeeper.app")
      let ended = try desk.sluice("criteria", "--for", app, "--format", "json")
      #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
      let certificate = try JSONReader.read(ended.output)
      #expect(certificate["bundle"]?.string == "org.example.notekeeper")
      let verdicts = try #require(certificate["criteria"]?.array)
      let verdict = { (id: String) in verdicts.first { $0["id"]?.string == id } }
      #expect(verdict("SEND-1")?["verdict"]?.string == "passed")
      #expect(verdict("SEND-3")?["verdict"]?.string == "not run")
      #expect(
        verdict("SEND-3")?["notRun"]?.array?.first?.string?.contains("`MultiIdentity`") == true)
      #expect(verdict("SWITCH-1")?["verdict"]?.string == "not run")
    }

    @Test(
      .enabled(
        if: FileManager.default.fileExists(atPath: realInfo),
        "there is no ../shared/real/apps"))
    func `the bundle of somebody else's app, as in its sources`() throws {
      try desk.folder.write("", to: "Chatr.app/.here")
      for (name, file) in [("Info.plist", realInfo), ("Chatr.entitlements", realEntitlements)] {
        try FileManager.default.createSymbolicLink(
          atPath: desk.folder.path("Chatr.app/\(name)"), withDestinationPath: file)
      }
      let unset = try desk.sluice("criteria", "--for", "Chatr.app")
      #expect(unset.status == 2)
      #expect(
        unset.errors.contains("`CFBundleIdentifier` is `$(PRODUCT_BUNDLE_IDENTIFIER)`; --set gives")
      )
      let ended = try desk.sluice(
        "criteria", "--for", "Chatr.app", "--set", "PRODUCT_BUNDLE_IDENTIFIER=com.example.chatr",
        "--format", "json")
      #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
      let certificate = try JSONReader.read(ended.output)
      #expect(certificate["bundle"]?.string == "com.example.chatr")
      #expect(certificate["holds"]?.bool == true)
    }

    @Test func `an extension is no app, and an unknown criterion none`() throws {
      let plugin = try desk.sluice("criteria", "--for", Repository.path("plugins/Shout.appex"))
      #expect(plugin.status == 2)
      #expect(plugin.errors.contains("it is an extension, and criteria are for apps [bundle]"))
      let unknown = try desk.sluice("criteria", "--only", "SEND-9")
      #expect(unknown.status == 2)
      #expect(unknown.errors.contains("no criterion is called `SEND-9`"))
    }
  }
}
