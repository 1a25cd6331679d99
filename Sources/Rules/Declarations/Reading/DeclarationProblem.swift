internal import Encodings
package import JSON

/// A fault or an oddity of a folder of declarations.
///
/// No message quotes a value of a configuration or a secret.
package struct DeclarationProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The severity of a problem.
  package enum Severity: String, Sendable, Hashable {
    case error, warning, note
  }

  package var severity: Severity
  /// The file as a user finds it: the folder's name and the path in it.
  package var file: String
  /// The place in the file; nil where no place is at fault.
  package var position: Position?
  /// The message, in lower case, without full stop.
  package var message: String

  package var description: String {
    let place = position.map { ":\($0.line):\($0.column)" } ?? ""
    return "\(file)\(place): \(severity.rawValue): \(message) [declarations]".escapingUnprintable()
  }

  /// Whether `left` is reported before `right`: problems are ordered by place.
  static func precedes(_ left: DeclarationProblem, _ right: DeclarationProblem) -> Bool {
    if left.file != right.file { return left.file < right.file }
    let places = (left.position, right.position)
    let (first, second) = (places.0?.line ?? 0, places.1?.line ?? 0)
    if first != second { return first < second }
    let (column, other) = (places.0?.column ?? 0, places.1?.column ?? 0)
    return column != other ? column < other : left.message < right.message
  }
}
