import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// `sluice spec` and `sluice config lint`: what they print, and how they end.
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
        ("spec SPEC", 0), ("spec SPEC --format html", 0), ("spec SPEC --format json", 0),
        ("spec empty.json", 0), ("spec wrong.json", 2), ("spec nowhere.json", 2),
        ("spec SPEC --format pdf", 64), ("spec", 64), ("spec SPEC --output nowhere/spec.md", 2),
        ("config lint RIGHT --against SPEC", 0), ("config lint mistake.json --against SPEC", 1),
        ("config lint mistake.json --against SPEC --fail-on never", 0),
        ("config lint misspelt.json --against SPEC", 0),
        ("config lint misspelt.json --against SPEC --fail-on warning", 1),
        ("config lint cut.plist RIGHT --against SPEC", 2),
        ("config lint nowhere.plist --against SPEC", 2),
        ("config lint RIGHT --against wrong.json", 2), ("config lint RIGHT", 64),
      ])
    func `a command ends with its status`(line: String, status: Int32) throws {
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

    @Test func `documentation goes to a file where one is named, remarks to standard error`() throws
    {
      let ended = try desk.sluice("spec", "empty.json", "--output", "empty.md")
      #expect(ended.output.isEmpty)
      #expect(
        ended.errors
          == "empty.json:1:1: note: nothing says how the app is shown without management [noDemoMode]\n"
      )
      #expect(try desk.folder.read("empty.md").hasPrefix("# Configuring Empty\n"))
    }

    @Test func `what is printed is what is recorded`() throws {
      let golden = "Tests/SpecificationTests/Golden/landmarks"
      for (format, ending) in [("markdown", "md"), ("json", "json")] {
        let ended = try desk.sluice("spec", Self.specification, "--format", format)
        let recorded = try Repository.read("\(golden).\(ending)")
        #expect(ended.output == recorded)
        #expect(ended.errors.isEmpty)
      }
      let page = try desk.sluice("spec", Self.specification, "--format", "html")
      #expect(page.output.hasPrefix("<!DOCTYPE html>") && page.output.hasSuffix("</html>\n"))
      #expect(page.errors.isEmpty)
    }

    @Test func `findings name the file and the place`() throws {
      let ended = try desk.sluice(
        "config", "lint", "mistake.json", "misspelt.json", "--against", Self.specification)
      #expect(
        ended.output == """
          mistake.json:1:14: error: `sharing` must be a boolean, found a string `yes`; write true, not a string [wrongType]
            help: The app cannot decode such a configuration, and gets none at all.
          misspelt.json:1:3: warning: the specification has no key `shareing`; did you mean `sharing`? [unknownKey]
            help: Apps pass over keys without a word.
          1 error, 1 warning, 0 notes

          """)
    }
  }
}
