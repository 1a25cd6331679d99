/// A part of a predicate's source.
package struct SourcePart: Sendable {
  /// In the source.
  package var range: Range<String.Index>
  /// Where it begins, from 1; the column in what the dialect counts. A line break of two characters is one.
  package var line: Int
  package var column: Int
  /// Where it begins, from 0, in what the dialect counts.
  package var offset: Int

  /// From the beginning of this part to the end of `last`.
  package func through(_ last: SourcePart) -> SourcePart {
    var part = self
    part.range = range.lowerBound..<last.range.upperBound
    return part
  }
}
