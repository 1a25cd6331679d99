/// A part of a predicate's source.
package struct SourcePart: Sendable {
  /// The range in the source.
  package var range: Range<String.Index>
  /// The line of the beginning, from 1, and the column in the dialect's units. A line break of two characters is one.
  package var line: Int
  package var column: Int
  /// The offset of the beginning, from 0, in the dialect's units.
  package var offset: Int

  /// The part from the beginning of this one to the end of `last`.
  package func through(_ last: SourcePart) -> SourcePart {
    var part = self
    part.range = range.lowerBound..<last.range.upperBound
    return part
  }
}
