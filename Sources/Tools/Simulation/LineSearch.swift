/// A search for a text within a line of output that comes in parts.
struct LineSearch {
  private let text: String
  private(set) var isFound = false
  /// The line that is not complete.
  private var line = ""

  init(_ text: String) { self.text = text }

  /// Searches more output.
  mutating func append(_ part: String) {
    guard !isFound else { return }
    var lines = part.split(separator: "\n", omittingEmptySubsequences: false)
    lines[0] = Substring(line + lines[0])
    isFound = lines.contains { $0.contains(text) }
    // Of a line without end, as much as the beginning of the text may be in.
    line = String(lines.last?.suffix(text.count) ?? "")
  }
}
