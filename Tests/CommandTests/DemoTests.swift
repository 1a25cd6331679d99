import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice demo`.
  @Suite struct DemoTests {
    /// The policies of other authors, beside the package or beside the folder that contains a copy
    /// of it.
    private static let realPolicies: [String] = ["../shared/real", "../../shared/real"]
      .map { "\(Repository.path($0))/policies" }
      .flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
      }

    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test func `the demo prints verdicts, their reasons and the settings that would change them`()
      throws
    {
      let ended = try desk.sluice("demo", ends: 0)
      #expect(ended.errors.isEmpty)
      for text in [
        "share blocked by sendManagedAppsToUnmanaged, refused",
        "share encrypted by sendManagedAppsEncrypts, delivered encrypted",
        "import allowed by sendManagedAppsToManaged, delivered",
        "Send org data to other apps: Policy managed apps",
        "allowedOutboundDataTransferDestinations, demo.yaml:",
        "for another answer: `Send org data to other apps` = `All apps`",
        "2 cases: 2 passed",
      ] {
        #expect(ended.output.contains(text), "\(text)")
      }
    }

    @Test func `the demo is deterministic`() throws {
      #expect(try desk.sluice("demo").output == desk.sluice("demo").output)
    }

    @Test func `the scenario printed by the demo produces the demo's results`() throws {
      let scenario = try desk.sluice("demo", "--print-scenario", ends: 0)
      #expect(scenario.output.hasPrefix("name: "))
      let shown = try desk.sluice("demo").lines.dropFirst()
      let ended = try desk.sluice("run", "-", "--verbose", input: scenario.output, ends: 0)
      #expect(
        ended.lines.dropFirst().map { String($0).replacing(" -:", with: " demo.yaml:") }
          == shown.map(String.init))
    }

    @Test func `the demo cites lines of a user's own policy`() throws {
      try desk.folder.write(Samples.policy, to: "policy.json")
      let ended = try desk.sluice("demo", "--policy", "policy.json", ends: 0)
      #expect(
        ended.output.contains("allowedOutboundDataTransferDestinations, policy.json:3\n"))
    }

    @Test func `a demo with several policies names each of them in its scenario`() throws {
      try desk.folder.write(Samples.policy, to: "policy.json")
      try desk.folder.write(
        Samples.policy.replacing(#""Base""#, with: #""No printing", "printBlocked": true"#),
        to: "stricter.json")
      let options = ["-p", "policy.json", "--policy", "stricter.json"]
      let scenario = try desk.sluice(["demo", "--print-scenario"] + options, ends: 0).output
      #expect(scenario.contains("  yours:\n    file: \"/"))
      #expect(scenario.contains("  yours-2:\n    file: \"/"))
      let ended = try desk.sluice(["demo"] + options, ends: 0)
      #expect(ended.output.contains(", policy.json:3\n"))
    }

    @Test func `the printed scenario for a user's own policy runs from any folder`() throws {
      try desk.folder.write(Samples.policy, to: "policy.json")
      let scenario = try desk.sluice("demo", "--policy", "policy.json", "--print-scenario").output
      try desk.folder.write(scenario, to: "elsewhere/scenario.yaml")
      try desk.sluice("run", "elsewhere/scenario.yaml", ends: 0)
    }

    @Test func `sluice demo exits with 2 for an invalid policy and reports the position`() throws {
      try desk.folder.write(#"{ "displayName": 7, "apps": [] }"#, to: "policy.json")
      for options in [[], ["--print-scenario"]] {
        let ended = try desk.sluice(["demo", "--policy", "policy.json"] + options, ends: 2)
        #expect(ended.output.isEmpty)
        #expect(ended.errors.hasPrefix("policy.json:1:18: error: "))
      }
    }

    @Test(
      .enabled(if: !realPolicies.isEmpty, "there is no ../shared/real/policies"),
      arguments: realPolicies)
    func `the demo runs with third-party policies and cites their lines`(policy: String) throws {
      let ended = try desk.sluice("demo", "--policy", policy, ends: 0)
      #expect(ended.lines.last == "2 cases: 2 passed (2 expect nothing)")
      #expect(ended.output.contains(", \(policy):"))
    }
  }
}
