/// The text of a JSON file, and where its lines begin.
package struct JSONText: Sendable {
  let scalars: [Unicode.Scalar]
  private let lines: [Int]

  package init(_ bytes: [UInt8]) {
    let scalars = (try? TextDecoding.scalars(of: bytes)) ?? []
    self.scalars = scalars
    lines = [0] + scalars.indices.filter { scalars[$0] == "\n" }.map { $0 + 1 }
  }

  /// Of the scalar at a place; the end for one that is not there.
  package func index(of position: Position) -> Int {
    guard lines.indices.contains(position.line - 1) else { return scalars.count }
    return min(lines[position.line - 1] + position.column - 1, scalars.count)
  }
}
