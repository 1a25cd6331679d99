public import SwiftSyntax

/// New text in place of a part of a source.
public struct TextEdit: Sendable, Equatable {
  /// The replaced bytes, as offsets into ``ParsedSource/bytes``.
  public let range: Range<Int>
  /// The text that takes their place.
  public let text: String

  /// Puts `text` in place of the bytes of `range`.
  public init(_ range: Range<Int>, _ text: String) {
    self.range = range
    self.text = text
  }

  /// Puts `text` in place of `node`; what stands before and behind it stays.
  public init(replacing node: some SyntaxProtocol, with text: String) {
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    self.init(start..<max(start, node.endPositionBeforeTrailingTrivia.utf8Offset), text)
  }

  /// Puts `text` before the first character of `node`.
  public init(before node: some SyntaxProtocol, _ text: String) {
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    self.init(start..<start, text)
  }

  /// Puts `text` behind the last character of `node`.
  public init(after node: some SyntaxProtocol, _ text: String) {
    let end = node.endPositionBeforeTrailingTrivia.utf8Offset
    self.init(end..<end, text)
  }

  /// Carries out `edits`, which must not overlap.
  public static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var end = 0
    for edit in edits.sorted(by: isBefore) {
      precondition(edit.range.lowerBound >= end, "two edits change the same bytes")
      result += bytes[end..<edit.range.lowerBound]
      result += edit.text.utf8
      end = edit.range.upperBound
    }
    return result + bytes[end...]
  }

  /// What is put at a place comes before what is replaced there.
  private static func isBefore(_ left: TextEdit, _ right: TextEdit) -> Bool {
    (left.range.lowerBound, left.range.upperBound) < (
      right.range.lowerBound, right.range.upperBound
    )
  }
}
