import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests `sluice doctor`, and `--require-confinement` on a machine without full confinement.
  @Suite struct DoctorCommandTests {
    private static let namespaces = ["network", "processes", "execution", "view"]

    /// Runs `sluice` without namespaces, beside a scenario that passes.
    private static func withoutNamespaces(_ arguments: [String]) async throws -> Desk.Ended {
      try await RefusedCall.namespaces.during { () throws -> Desk.Ended in
        let desk = try Desk()
        try desk.folder.write(Samples.passing, to: "passing.yaml")
        return try desk.sluice(arguments)
      }
    }

    @Test func `sluice doctor exits with 1 if and only if a guarantee does not hold`() throws {
      let desk = try Desk()
      let ended = try desk.sluice("doctor", "--format", "json")
      let json = try ended.json()
      let isComplete: Bool = json["isComplete"]?.bool ?? false
      #expect(ended.status == (isComplete ? 0 : 1))
      #expect(ended.errors.isEmpty)
      let text = try desk.sluice("doctor", ends: ended.status)
      let promises = json["promises"]?.array ?? []
      let hasChanges = promises.contains { $0["change"] != nil }
      #expect(text.output.contains("To change\n") == hasChanges)
      #expect(isComplete || hasChanges)
      #expect(text.output.contains("all guarantees hold\n") == isComplete)
    }

    @Test func `the JSON of sluice doctor conforms to its schema`() throws {
      let output = try Desk().sluice("doctor", "--format", "json").output
      #expect(try SchemaCheck("doctor").problems(in: output) == [])
      let json = try JSONReader.read(output)
      let names = json["promises"]?.array?.map { $0["name"]?.string }
      #expect(names?.count == Set(names ?? []).count && names?.isEmpty == false)
      #expect(json["open"]?.array?.isEmpty == false)
    }

    @Test func `sluice doctor reports missing namespaces with the lost guarantees and a remedy`()
      async throws
    {
      let ended = try await Self.withoutNamespaces(["doctor", "--format", "json"])
      #expect(ended.status == 1)
      let promises = try ended.json()["promises"]?.array ?? []
      let lacking = promises.filter { Self.namespaces.contains($0["name"]?.string ?? "") }
      #expect(lacking.map { $0["state"]?.string } == ["not", "not", "not", "not"])
      for promise in lacking {
        #expect(promise["open"]?.string?.isEmpty == false)
        #expect(promise["change"]?.string?.isEmpty == false)
      }
      let text = try await Self.withoutNamespaces(["doctor"])
      #expect(text.status == 1)
      #expect(
        text.output.contains(
          "  for network namespace, PID and IPC namespaces, noexec mount, own view and /proc: "))
    }

    @Test func `if confinement is required, no guest starts without namespaces`() async throws {
      let ended = try await Self.withoutNamespaces([
        "run", "passing.yaml", "--require-confinement",
      ])
      #expect(ended.status == 1)
      #expect(
        ended.output.contains("guests are only partly confined; missing: network namespace, "))
      #expect(ended.output.contains("`sluice doctor`"))
      #expect(ended.lines.last == "2 cases: 2 errored")
    }

    @Test func `if confinement is optional, each device without namespaces warns once`()
      async throws
    {
      let ended = try await Self.withoutNamespaces(["run", "passing.yaml", "--trace", "-"])
      #expect(ended.status == 0, "\(ended.output)")
      let warnings = ended.errors.split(separator: "\n").filter {
        $0.contains(
          ": sluice: warning: guests are only partly confined; missing: network namespace, ")
      }
      #expect(warnings.count == 2)
    }

    @Test func `sluice doctor reports a missing guest program`() throws {
      let desk = try Desk()
      let ended = try desk.run(desk.install(["sluice"]), ["doctor"], ends: 1)
      #expect(ended.output.contains("cannot find the executable `"))
      #expect(ended.errors.isEmpty)
    }

    @Test(arguments: [["--guests", "0"], ["--guests", "many"], ["--format", "html"], ["here"]])
    func `invalid options of sluice doctor exit with 64`(arguments: [String]) throws {
      let ended = try Desk().sluice(["doctor"] + arguments, ends: 64)
      #expect(ended.output.isEmpty)
    }

    @Test func `only the text output of doctor is coloured`() throws {
      let desk = try Desk()
      #expect(try desk.sluice("doctor", "--color", "always").output.contains("\u{1B}["))
      #expect(try !desk.sluice("doctor").output.contains("\u{1B}"))
      let json = try desk.sluice("doctor", "--format", "json", "--color", "always")
      #expect(!json.output.contains("\u{1B}"))
    }
  }
}
