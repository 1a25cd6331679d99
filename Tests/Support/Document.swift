internal import Foundation
public import Testing

/// Documents of which a part is made from declarations. `SLUICE_RECORD=1` writes that part anew; such a run fails, so that
/// nobody mistakes it for a test.
public enum Document {
  /// Compares a file with what it would be with the part made anew.
  public static func check(
    _ file: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ remade: (String) throws -> String
  ) throws {
    try checkGolden(
      try remade(try Repository.read(file)), file, sourceLocation: sourceLocation)
  }

  /// The text with the table after the comment `<!-- made of … -->` replaced.
  public static func replacing(
    _ table: [String], madeOf source: String, in text: String
  ) throws -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let comment = try #require(lines.firstIndex(of: "<!-- made of \(source) -->"), "\(source)")
    let start = comment + 1
    let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    lines.replaceSubrange(start..<end, with: table)
    return lines.joined(separator: "\n")
  }

  /// A row of a table.
  public static func row(_ cells: [String]) -> String {
    "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }
}
