import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the output and exit status of `sluice app-config spec` and `sluice app-config lint`.
  @Suite struct SpecificationCommandTests {
    private static let specification = Repository.path("examples/landmarks/specification.json")
    private static let configuration = Repository.path("examples/landmarks/configuration.plist")

    private let desk: Desk

    init() throws {
      desk = try Desk()
      try desk.folder.write(#"{ "type": "objekt" }"#, to: "wrong.json")
      try desk.folder.write(#"{ "title": "Empty" }"#, to: "empty.json")
      try desk.folder.write(#"{ "sharing": "yes" }"#, to: "mistake.json")
      try desk.folder.write(#"{ "shareing": true }"#, to: "misspelt.json")
      try desk.folder.write("cut", to: "cut.plist")
    }

    @Test(
      arguments: [
        ("app-config spec SPEC", 0), ("app-config spec SPEC --format html", 0),
        ("app-config spec SPEC --format json", 0),
        ("app-config spec empty.json", 0), ("app-config spec wrong.json", 2),
        ("app-config spec nowhere.json", 2),
        ("app-config spec SPEC --format pdf", 64), ("app-config spec", 64),
        ("app-config spec SPEC --output nowhere/spec.md", 2),
        ("app-config lint RIGHT --spec SPEC", 0), ("app-config lint mistake.json --spec SPEC", 1),
        ("app-config lint mistake.json --spec SPEC --fail-on never", 0),
        ("app-config lint misspelt.json --spec SPEC", 0),
        ("app-config lint misspelt.json --spec SPEC --fail-on warning", 1),
        ("app-config lint cut.plist RIGHT --spec SPEC", 2),
        ("app-config lint nowhere.plist --spec SPEC", 2),
        ("app-config lint RIGHT --spec wrong.json", 2), ("app-config lint RIGHT", 64),
      ])
    func `specification commands exit with their documented statuses`(line: String, status: Int32)
      throws
    {
      let words = line.split(separator: " ").map { word in
        switch word {
        case "SPEC": Self.specification
        case "RIGHT": Self.configuration
        default:  // open: any other word
          String(word)
        }
      }
      let ended = try desk.sluice(words, ends: status)
      let isLint = line.contains("lint") && !line.contains("wrong.json")
      #expect(ended.output.isEmpty == (status == 64 || status == 2 && !isLint))
      if status == 64 || status == 2 && !isLint {
        #expect(ended.errors.contains(status == 64 ? "Usage: sluice " : ": error: "))
      }
    }

    @Test
    func `app-config spec writes documentation to the output file and notes to standard error`()
      throws
    {
      let ended = try desk.sluice("app-config", "spec", "empty.json", "--output", "empty.md")
      #expect(ended.output.isEmpty)
      #expect(
        ended.errors
          == "empty.json:1:1: note: the demo mode, for showing the app without management, is not described [noDemoMode]\n"
      )
      #expect(try desk.folder.read("empty.md").hasPrefix("# Configuring Empty\n"))
    }

    @Test func `the printed specification matches the golden file`() throws {
      let golden = "Tests/SpecificationTests/Golden/landmarks"
      for (format, ending) in [("markdown", "md"), ("json", "json")] {
        let ended = try desk.sluice("app-config", "spec", Self.specification, "--format", format)
        let recorded = try Repository.read("\(golden).\(ending)")
        #expect(ended.output == recorded)
        #expect(ended.errors.isEmpty)
      }
      let page = try desk.sluice("app-config", "spec", Self.specification, "--format", "html")
      #expect(page.output.hasPrefix("<!DOCTYPE html>") && page.output.hasSuffix("</html>\n"))
      #expect(page.errors.isEmpty)
    }

    @Test func `app-config lint --spec reports findings with file and position`() throws {
      let ended = try desk.sluice(
        "app-config", "lint", "mistake.json", "misspelt.json", "--spec", Self.specification)
      #expect(
        ended.output == """
          mistake.json:1:14: error: `sharing` must be a boolean, found a string `yes`; write true, not a string [wrongType]
            help: The app cannot decode such a configuration, so it receives none.
          misspelt.json:1:3: warning: the specification has no key `shareing`; did you mean `sharing`? [unknownKey]
            help: Apps silently ignore unknown keys.
          1 error, 1 warning, 0 notes

          """)
    }
  }
}
