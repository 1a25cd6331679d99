import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the scenarios in documents.
  @Suite struct DocumentedExampleTests {
    /// A complete scenario in a document. It is also in `scenarios/`.
    struct Example: CustomTestStringConvertible {
      /// The path of the document, relative to the repository root.
      let document: String
      /// The number of the first line.
      let line: Int
      let text: String

      var testDescription: String { "\(document):\(line)" }
    }

    private static let examples: [Example] = DocumentedSession.documents.flatMap { document in
      ((try? DocumentedSession.Block.all(in: document)) ?? [])
        .filter { $0.language == "yaml" && isWhole($0.lines) }
        .map {
          Example(document: document, line: $0.line, text: $0.lines.joined(separator: "\n") + "\n")
        }
    }

    private static func isWhole(_ lines: [String]) -> Bool {
      lines.contains("apps:") && (lines.contains("steps:") || lines.contains("cases:"))
    }

    @Test func `at least eight documentation pages contain complete scenarios`() {
      #expect(Set(Self.examples.map(\.document)).count >= 8)
    }

    @Test(arguments: examples)
    func `scenarios in the documentation have the stated results`(example: Example) throws {
      let desk = try Desk()
      try desk.folder.write(example.text, to: "scenarios/example.yaml")
      for name in ["examples", "plugins"] + Self.contents(of: "scenarios") {
        try desk.folder.link(name, to: Repository.path(name))
      }
      try desk.sluice("run", "scenarios/example.yaml", ends: 0)
    }

    private static func contents(of folder: String) -> [String] {
      ((try? FileManager.default.contentsOfDirectory(atPath: Repository.path(folder))) ?? [])
        .map { "\(folder)/\($0)" }
    }
  }
}
