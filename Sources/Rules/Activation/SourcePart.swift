/// A part of a predicate's source.
package struct SourcePart: Sendable {
  /// In the source.
  package var range: Range<String.Index>
  /// Where it begins, from 1; the column in characters.
  package var line: Int
  package var column: Int

  /// From the beginning of this part to the end of `last`.
  func through(_ last: SourcePart) -> SourcePart {
    SourcePart(range: range.lowerBound..<last.range.upperBound, line: line, column: column)
  }
}
