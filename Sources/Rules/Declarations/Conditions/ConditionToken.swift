/// A word, value or sign of a predicate.
struct ConditionToken: Sendable {
  enum Kind: Sendable, Equatable {
    case word(String)
    /// What stands behind `$`.
    case variable(String)
    case string(String)
    case integer(Int)
    case real(Double)
    /// `@status(device.model.family)`: its name and what is in the brackets.
    case function(String, argument: String)
    /// `@count`.
    case operation(String)
    case symbol(String)
    case end
  }

  var kind: Kind
  /// Of its first Unicode scalar.
  var offset: Int

  /// Keywords have any case.
  func isWord(_ keyword: String) -> Bool {
    guard case .word(let word) = kind else { return false }
    return word.uppercased() == keyword
  }

  /// What messages call it.
  var words: String {
    switch kind {
    case .word(let word): "`\(word)`"
    case .variable(let name): "`$\(name)`"
    case .string: "a string"
    case .integer(let number): "the number \(number)"
    case .real(let number): "the number \(number)"
    case .function(let name, let argument): "`@\(name)(\(argument))`"
    case .operation(let name): "`@\(name)`"
    case .symbol(let symbol): "`\(symbol)`"
    case .end: "the end of the predicate"
    }
  }
}
