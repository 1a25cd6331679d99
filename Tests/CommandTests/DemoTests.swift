import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// `sluice demo`.
  @Suite struct DemoTests {
    /// Policies that other people wrote, beside the package or the folder that holds a copy of it.
    private static let realPolicies: [String] = ["../shared/real", "../../shared/real"]
      .map { "\(Repository.path($0))/policies" }
      .flatMap { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { "\(folder)/\($0)" }
      }

    private let desk: Desk

    init() throws { desk = try Desk() }

    @Test func `the demo shows verdicts, reasons, and what would change them`() throws {
      let ended = try desk.sluice("demo", ends: 0)
      #expect(ended.errors.isEmpty)
      for text in [
        "share blocked by sendManagedAppsToUnmanaged, refused",
        "share encrypted by sendManagedAppsEncrypts, delivered encrypted",
        "import allowed by sendManagedAppsToManaged, delivered",
        "Send org data to other apps: Policy managed apps",
        "allowedOutboundDataTransferDestinations, demo.yaml:",
        "for another answer: `Send org data to other apps` = All apps",
        "2 cases: 2 passed",
      ] {
        #expect(ended.output.contains(text), "\(text)")
      }
    }

    @Test func `the demo shows the same each time`() throws {
      #expect(try desk.sluice("demo").output == desk.sluice("demo").output)
    }

    @Test func `what the demo runs can be printed, and run`() throws {
      let scenario = try desk.sluice("demo", "--print-scenario", ends: 0)
      #expect(scenario.output.hasPrefix("name: "))
      let shown = try desk.sluice("demo").lines.dropFirst()
      let ended = try desk.sluice("run", "-", "--verbose", input: scenario.output, ends: 0)
      #expect(
        ended.lines.dropFirst().map { String($0).replacing(" -:", with: " demo.yaml:") }
          == shown.map(String.init))
    }

    @Test func `a policy of one's own is cited`() throws {
      try desk.folder.write(Samples.policy, to: "policy.json")
      let ended = try desk.sluice("demo", "--policy", "policy.json", ends: 0)
      #expect(ended.output.contains("allowedOutboundDataTransferDestinations, /"))
      #expect(ended.output.contains("/policy.json:3\n"))
    }

    @Test func `the scenario for a policy of one's own runs wherever it is kept`() throws {
      try desk.folder.write(Samples.policy, to: "policy.json")
      let scenario = try desk.sluice("demo", "--policy", "policy.json", "--print-scenario").output
      try desk.folder.write(scenario, to: "elsewhere/scenario.yaml")
      try desk.sluice("run", "elsewhere/scenario.yaml", ends: 0)
    }

    @Test func `a policy that is wrong ends with 2 and names the place`() throws {
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
    func `policies that other people wrote show what they do`(policy: String) throws {
      let ended = try desk.sluice("demo", "--policy", policy, ends: 0)
      #expect(ended.lines.last == "2 cases: 2 passed (2 expect nothing)")
      #expect(ended.output.contains(", \(URL(fileURLWithPath: policy).standardizedFileURL.path):"))
    }
  }
}
