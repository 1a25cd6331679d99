internal import Model

/// Lines of a journal that need not be read in full: those that state nothing of what rules were asked, and those that
/// differ in their numbers, their time and the size of the item alone, of which each shape is read once. They are most of
/// a large journal.
struct DecisionShapes {
  private var shapes: [ArraySlice<UInt8>: Content] = [:]
  /// What a journal without two lines alike may cost.
  private static let most = 65_536

  /// What a decision says to a replay.
  enum Content {
    case question(RecordedQuestion)
    /// A decision for which no facts are stated.
    case other(Operation, Outcome)
  }

  /// The content of a line whose shape has been noted; nil for any other line.
  func content(of line: ArraySlice<UInt8>) -> Content? {
    Self.shape(of: line).flatMap { shapes[$0] }
  }

  /// Notes the content of lines of this shape.
  mutating func note(_ content: Content, of line: ArraySlice<UInt8>) {
    guard shapes.count < Self.most, let shape = Self.shape(of: line) else { return }
    // A copy: a part of what was read would keep all of it.
    shapes[ArraySlice(Array(shape))] = content
  }

  /// The number of the event, of a line as a device writes it; nil for any other line.
  static func sequence(of line: ArraySlice<UInt8>) -> Int? {
    guard line.last == UInt8(ascii: "}"), line.starts(with: start) else { return nil }
    let digits = line.dropFirst(start.count).prefix { isDigit($0) }
    // What has more digits is read in full, and refused.
    guard (1...15).contains(digits.count) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  private static let start = Array(#"{"seq":"#.utf8)

  /// Whether the line is an event as a device writes it, and one that states nothing of what rules were asked.
  static func isBesides(_ line: ArraySlice<UInt8>) -> Bool {
    guard let head = line.prefix(72).range(of: name), isWhole(line) else { return false }
    return !relevant.contains { line[head.upperBound...].starts(with: $0) }
  }

  /// Whether the line is one object from its first byte to its last, as far as quotes and brackets tell.
  private static func isWhole(_ line: ArraySlice<UInt8>) -> Bool {
    var (depth, isText, isEscaped) = (0, false, false)
    for (index, byte) in zip(line.indices, line) {
      guard byte >= 0x20 else { return false }
      if isEscaped {
        isEscaped = false
      } else if isText {
        isEscaped = byte == UInt8(ascii: "\\")
        isText = byte != UInt8(ascii: "\"")
      } else {
        switch byte {
        case UInt8(ascii: "\""): isText = true
        case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
        case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
        default: break  // open: any other byte
        }
        guard depth > 0 || index == line.endIndex - 1 else { return false }
      }
    }
    return depth == 0
  }

  private static let name = Array(#"Z","event":""#.utf8)
  private static let relevant = [
    JournalEventName.requestDecided, .factsStated, .policyStated, .policyChanged,
    .accountEnrolled, .accountSignedIn, .accountRenamed,
  ].map { Array($0.rawValue.utf8) }

  private static let event = Array(#","event":"request.decided","request":"#.utf8)
  private static let bytes = Array(#","bytes":"#.utf8)

  /// The line without its `seq`, `time`, `request` and `bytes`; nil for what is no decision as a device writes it.
  private static func shape(of line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    // What stands before the event is short.
    guard let head = line.prefix(96).range(of: event) else { return nil }
    let rest = line[head.upperBound...].drop(while: isDigit)
    // Texts of guests stand behind the size.
    guard let size = rest.prefix(1024).range(of: bytes) else { return rest }
    return rest[..<size.lowerBound] + rest[size.upperBound...].drop(while: isDigit)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}

extension ArraySlice<UInt8> {
  /// The place where `pattern` stands first; nil where it does not.
  fileprivate func range(of pattern: [UInt8]) -> Range<Int>? {
    guard let first = pattern.first, count >= pattern.count else { return nil }
    var index = startIndex
    let last = endIndex - pattern.count
    while index <= last {
      guard let found = self[index...last].firstIndex(of: first) else { return nil }
      if self[found..<found + pattern.count].elementsEqual(pattern) {
        return found..<found + pattern.count
      }
      index = found + 1
    }
    return nil
  }
}
