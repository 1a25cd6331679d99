/// The text of a JSON file, with the beginnings of its lines.
package struct JSONText: Sendable {
  let scalars: [Unicode.Scalar]
  private let lines: [Int]

  /// A text of `bytes`; empty where they are not text.
  package init(_ bytes: [UInt8]) {
    let scalars = (try? TextDecoding.scalars(of: bytes)) ?? []
    self.scalars = scalars
    lines = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
  }

  /// The index of the scalar at a place; the end for a place that is not in the text.
  package func index(of position: Position) -> Int {
    guard lines.indices.contains(position.line - 1) else { return scalars.count }
    return min(lines[position.line - 1] + position.column - 1, scalars.count)
  }
}
