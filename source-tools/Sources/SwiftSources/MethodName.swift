public import SwiftSyntax

/// A method name with argument labels, such as `wipeData(forAccountId:)`.
public struct MethodName: Sendable, Hashable, CustomStringConvertible {
  /// The name before the parenthesis, without labels.
  public let base: String
  /// The argument labels; `_` for an unlabeled argument.
  public let labels: [String]

  public init(base: String, labels: [String]) {
    self.base = base
    self.labels = labels
  }

  /// Creates the name of a declared function.
  public init(_ function: FunctionDeclSyntax) {
    self.init(
      base: function.name.identifierText,
      labels: function.signature.parameterClause.parameters.map(\.firstName.identifierText))
  }

  /// Parses a name of the form `base(label:label:)`. Returns nil if `text` has no parentheses.
  public init?(_ text: some StringProtocol) {
    guard let open = text.firstIndex(of: "("), text.hasSuffix(")") else { return nil }
    let inside = text[text.index(after: open)...].dropLast()
    self.init(
      base: String(text[..<open]), labels: inside.split { $0 == ":" }.map { String($0) })
  }

  public var description: String {
    "\(base)(\(labels.map { $0 + ":" }.joined()))"
  }
}

extension TokenSyntax {
  /// The token's name, without backticks.
  public var identifierText: String {
    text.count > 2 && text.hasPrefix("`") && text.hasSuffix("`")
      ? String(text.dropFirst().dropLast()) : text
  }
}
