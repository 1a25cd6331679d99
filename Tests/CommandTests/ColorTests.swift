import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests reports with colours.
  @Suite struct ColorTests {
    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(Samples.passing, to: "passing.yaml")
    }

    @Test(
      arguments: [
        (["--color", "always"], [:], true), (["--color", "always"], ["NO_COLOR": "1"], true),
        (["--color", "never"], [:], false), ([], [:], false),
      ] as [([String], [String: String], Bool)])
    func `output to a file is coloured only with --color always`(
      options: [String], variables: [String: String], isColored: Bool
    ) throws {
      let ended = try desk.sluice(["run", "passing.yaml"] + options, variables: variables, ends: 0)
      #expect(ended.output.contains("\u{1B}[32mpassed\u{1B}[0m") == isColored)
      #expect(ended.output.contains("\u{1B}") == isColored)
    }

    @Test(
      arguments: [
        ([], [:], true), ([], ["NO_COLOR": ""], true), ([], ["NO_COLOR": "1"], false),
        (["--color", "never"], [:], false), (["--color", "always"], ["NO_COLOR": "1"], true),
      ] as [([String], [String: String], Bool)])
    func `NO_COLOR or "--color never" disables colours on a terminal`(
      options: [String], variables: [String: String], isColored: Bool
    ) throws {
      let terminal = try Terminal()
      let process = try desk.start(
        Desk.program, ["run", "passing.yaml"] + options, variables: variables,
        terminal: terminal.end)
      process.waitUntilExit()
      let text = try terminal.text()
      #expect(process.terminationStatus == 0)
      #expect(text.contains("an item arrives"))
      #expect(text.contains("\u{1B}[") == isColored)
    }

    @Test(arguments: ["json", "junit", "tap"])
    func `machine-readable formats are never coloured`(format: String) throws {
      let ended = try desk.sluice("run", "passing.yaml", "--format", format, "--color", "always")
      #expect(!ended.output.contains("\u{1B}"))
    }
  }
}
