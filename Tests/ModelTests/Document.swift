import Foundation
import TestSupport
import Testing

/// Documents of which a part is made from declarations. `SLUICE_RECORD=1` writes that part anew; such a run fails, so that
/// nobody mistakes it for a test.
enum Document {
  /// Compares a file with what it would be with the part made anew.
  static func check(_ file: String, _ remade: (String) throws -> String) throws {
    let path = Repository.path(file)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let made = try remade(text)
    try checkGolden(made, file)
  }

  /// The text with the table after the comment `<!-- made of … -->` replaced.
  static func replacing(_ table: [String], madeOf source: String, in text: String) throws -> String
  {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let comment = try #require(lines.firstIndex(of: "<!-- made of \(source) -->"), "\(source)")
    let start = comment + 1
    let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    lines.replaceSubrange(start..<end, with: table)
    return lines.joined(separator: "\n")
  }

  static func row(_ cells: [String]) -> String {
    "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }
}
