import TestSupport
import Testing

extension RealProcesses {
  /// Tests that the JSON output of `flows`, `leaks` and `replay` matches its schema.
  @Suite(.timeLimit(.minutes(10))) struct ReportSchemaTests {
    private static let strict = """
      { "displayName": "Strict", "allowedOutboundDataTransferDestinations": "none", "printBlocked": true }
      """

    @Test(arguments: [
      "lineage", "links", "keychain", "files", "extensions", "identities", "clipboard",
    ])
    func `the JSON reports of sluice leaks, flows and replay conform to their schemas`(name: String)
      throws
    {
      let desk = try Desk()
      let scenario = Repository.path("scenarios/\(name).yaml")
      let leaks = try desk.sluice("leaks", "--scenario", scenario, "--format", "json")
      #expect(try SchemaCheck("leaks").problems(in: leaks.output) == [])
      try desk.sluice("run", scenario, "--output-dir", "devices", ends: 0)
      try desk.folder.write(Self.strict, to: "strict.json")
      for (schema, command) in [
        ("flows", ["flows"]), ("replay", ["replay"]),
        ("replay", ["replay", "--policy", "strict.json"]),
      ] {
        let check = try SchemaCheck(schema)
        // The output covers a single device, and then all devices with one line each.
        for devices in ["devices/1", "devices"] {
          let report = try desk.sluice(command + [devices, "--format", "json"])
          #expect(!report.lines.isEmpty)
          for line in report.lines { #expect(try check.problems(in: String(line)) == []) }
        }
      }
    }

    @Test func `the tests' schema check finds wrong types, unknown members and missing members`()
      throws
    {
      let check = try SchemaCheck("replay")
      let problems = try check.problems(
        in: #"{"journal":1,"decided":-1,"new":true,"differences":[{}]}"#)
      #expect(problems.contains(#"$.journal: integer, not ["string"]"#))
      #expect(problems.contains("$.new: unknown"))
      #expect(problems.contains("$.differences[0].change: missing"))
      #expect(problems.contains("$.noTransfers: missing"))
    }
  }
}
