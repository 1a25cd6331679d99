import TestSupport
import Testing

extension RealProcesses {
  /// What `flows`, `leaks` and `replay` print as JSON is as their schemas say.
  @Suite(.timeLimit(.minutes(10))) struct ReportSchemaTests {
    private static let strict = """
      { "displayName": "Strict", "allowedOutboundDataTransferDestinations": "none", "printBlocked": true }
      """

    @Test(arguments: [
      "lineage", "links", "keychain", "files", "extensions", "identities", "clipboard",
    ])
    func `reports on a scenario are as their schemas say`(name: String) throws {
      let desk = try Desk()
      let scenario = Repository.path("scenarios/\(name).yaml")
      let leaks = try desk.sluice("leaks", scenario, "--format", "json")
      #expect(try SchemaCheck("leaks").problems(in: leaks.output) == [])
      #expect(try desk.sluice("run", scenario, "--keep", "devices").status == 0)
      try desk.folder.write(Self.strict, to: "strict.json")
      for number in 1...3 {
        let flows = try desk.sluice("flows", "devices/\(number)", "--format", "json")
        #expect(try SchemaCheck("flows").problems(in: flows.output) == [])
        for options in [[], ["--policy", "strict.json"]] {
          let replay = try desk.run(
            Desk.program, ["replay", "devices/\(number)", "--format", "json"] + options)
          #expect(try SchemaCheck("replay").problems(in: replay.output) == [], "\(replay.errors)")
        }
      }
    }

    @Test func `what is not as the schema says is found`() throws {
      let check = try SchemaCheck("replay")
      let problems = try check.problems(
        in: #"{"journal":1,"decided":-1,"new":true,"differences":[{}]}"#)
      #expect(problems.contains("$.journal: integer, not [\"string\"]"))
      #expect(problems.contains("$.new: unknown"))
      #expect(problems.contains("$.differences[0].change: missing"))
      #expect(problems.contains("$.noTransfers: missing"))
    }
  }
}
