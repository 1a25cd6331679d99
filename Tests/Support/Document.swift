public import Testing

/// Documents with a section that is generated from declarations. With `SLUICE_RECORD=1`, the
/// section is rewritten and the test fails. A recording is therefore never mistaken for a passing
/// test.
public enum Document {
  /// Compares a file with its contents after regeneration.
  public static func check(
    _ file: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ remade: (String) throws -> String
  ) throws {
    try checkGolden(
      try remade(try Repository.read(file)), file, sourceLocation: sourceLocation)
  }

  /// Returns the text with the table or list below the comment `<!-- made of … -->` replaced. The
  /// table or list ends before an empty line.
  public static func replacing(
    _ table: [String], madeOf source: String, in text: String
  ) throws -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let comment = try #require(lines.firstIndex(of: "<!-- made of \(source) -->"), "\(source)")
    let start = comment + 1
    let end = lines[start...].firstIndex(of: "") ?? lines.endIndex
    lines.replaceSubrange(start..<end, with: table)
    return lines.joined(separator: "\n")
  }

  /// Returns the lines of a Markdown list item, at most 120 columns wide.
  public static func item(_ text: String) -> [String] {
    var lines: [String] = []
    var line = "-"
    for word in text.split(separator: " ") {
      if line.count + 1 + word.count > 120 {
        lines.append(line)
        line = " "
      }
      line += " " + word
    }
    return lines + [line]
  }

  /// Returns a Markdown table row.
  public static func row(_ cells: [String]) -> String {
    "|" + cells.map { $0.isEmpty ? " |" : " \($0) |" }.joined()
  }
}
