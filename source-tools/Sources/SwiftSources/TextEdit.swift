public import SwiftSyntax

/// A replacement of a range of source text.
public struct TextEdit: Sendable, Equatable {
  /// The replaced bytes, as offsets into ``ParsedSource/bytes``.
  public let range: Range<Int>
  /// The replacement text.
  public let text: String

  public init(_ range: Range<Int>, _ text: String) {
    self.range = range
    self.text = text
  }

  /// Replaces `node`, but not the trivia around it.
  public init(replacing node: some SyntaxProtocol, with text: String) {
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    self.init(start..<max(start, node.endPositionBeforeTrailingTrivia.utf8Offset), text)
  }

  /// Inserts `text` before the first token of `node`.
  public init(before node: some SyntaxProtocol, _ text: String) {
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    self.init(start..<start, text)
  }

  /// Inserts `text` after the last token of `node`.
  public init(after node: some SyntaxProtocol, _ text: String) {
    let end = node.endPositionBeforeTrailingTrivia.utf8Offset
    self.init(end..<end, text)
  }

  /// Applies `edits`, which must not overlap.
  public static func apply(_ edits: [TextEdit], to bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var end = 0
    for edit in edits.sorted(by: isBefore) {
      precondition(edit.range.lowerBound >= end, "edits overlap")
      result += bytes[end..<edit.range.lowerBound]
      result += edit.text.utf8
      end = edit.range.upperBound
    }
    return result + bytes[end...]
  }

  /// Returns whether `left` comes before `right`. Edits are ordered by position. At the same
  /// position, an insertion comes before a replacement.
  private static func isBefore(_ left: TextEdit, _ right: TextEdit) -> Bool {
    (left.range.lowerBound, left.range.upperBound) < (
      right.range.lowerBound, right.range.upperBound
    )
  }
}
