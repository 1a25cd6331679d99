internal import SwiftSources
internal import SwiftSyntax

/// A method reference in a selector, such as `didChange(_:)`, `self.didChange` or
/// `Player.didChange(_:)`.
struct MethodReference {
  /// The type before the dot; nil for the enclosing type.
  let type: String?
  let base: String
  /// The argument labels; nil if the reference has none.
  let labels: [String]?

  /// Parses the argument of `#selector`. A cast of the argument to a type is ignored. Returns nil if the argument is
  /// not a name.
  init?(_ expression: ExprSyntax) {
    if let cast = expression.as(SequenceExprSyntax.self), let first = cast.elements.first,
      cast.elements.dropFirst().first?.is(UnresolvedAsExprSyntax.self) == true
    {
      self.init(first)
    } else if let name = expression.as(DeclReferenceExprSyntax.self) {
      self.init(type: nil, name)
    } else if let member = expression.as(MemberAccessExprSyntax.self), let base = member.base {
      let text = base.trimmedDescription
      guard !text.contains(where: \.isNewline) else { return nil }
      if ["self", "Self", "super"].contains(text) {
        self.init(type: nil, member.declName)
      } else if text.split(separator: ".").last?.first?.isUppercase == true {
        self.init(type: text, member.declName)
      } else {
        return nil
      }
    } else {
      return nil
    }
  }

  private init(type: String?, _ name: DeclReferenceExprSyntax) {
    self.type = type
    base = name.baseName.identifierText
    labels = name.argumentNames.map { $0.arguments.map(\.name.identifierText) }
  }

  /// The reference as Swift source, without its type.
  var text: String { labels.map { MethodName(base: base, labels: $0).description } ?? base }
}
