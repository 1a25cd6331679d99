/// The output of one guest, its log and its standard error, line by line. Of many lines, the last ones.
public struct GuestOutput: Sendable, Equatable {
  /// The number of lines that are kept.
  public static let limit = 20
  /// The length of a line that is kept, in Unicode scalars.
  static let longestLine = 1_000

  public internal(set) var guest: String
  /// The last lines, without line breaks.
  public private(set) var lines: [String] = []
  /// The number of all lines.
  public private(set) var count = 0
  /// Whether the last line has not come to its end.
  private var isOpen = false

  /// The same output, of a guest of another name.
  package func named(_ guest: String) -> GuestOutput {
    var output = self
    output.guest = guest
    return output
  }

  /// Creates the output of a guest that has written nothing.
  public init(guest: String) { self.guest = guest }

  /// The output that a guest has written, as it was kept.
  ///
  /// - Parameter count: the number of all lines.
  package init(guest: String, lines: [String], count: Int) {
    self.guest = guest
    self.lines = lines
    self.count = count
  }

  /// Adds text that was written next, which may end anywhere in a line.
  public mutating func append(_ text: String) {
    let parts = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      if !part.isEmpty { write(part) }
      if index < parts.count - 1 { endLine() }
    }
  }

  /// Adds whole lines, whether the last one is ended or not.
  public mutating func append(lines text: String) {
    isOpen = false
    append(text)
    isOpen = false
  }

  private mutating func endLine() {
    if !isOpen { add("") }
    isOpen = false
  }

  private mutating func write(_ part: Substring.UnicodeScalarView) {
    if !isOpen { add("") }
    isOpen = true
    let room = Self.longestLine - lines[lines.count - 1].unicodeScalars.count
    guard room > 0 else { return }
    lines[lines.count - 1].unicodeScalars.append(contentsOf: part.prefix(room))
  }

  private mutating func add(_ line: String) {
    count += 1
    if lines.count == Self.limit { lines.removeFirst() }
    lines.append(line)
  }

  /// The guest with `wrote`, and where lines are missing, the number of all lines.
  var title: String {
    let rest = count > lines.count ? " (the last \(lines.count) of \(count) lines)" : ""
    return "\(guest) wrote\(rest)"
  }
}
