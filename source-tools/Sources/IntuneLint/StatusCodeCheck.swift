internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds numeric literals that are used as status codes, and that are invalid or contradict a
/// comment on their line.
enum StatusCodeCheck {
  static func findings(_ context: SourceContext) -> [CodeFinding] {
    let codes = context.table.statusCodes
    guard !codes.isEmpty else { return [] }
    return context.all(IntegerLiteralExprSyntax.self).compactMap { finding($0, codes, context) }
  }

  private static func finding(
    _ literal: IntegerLiteralExprSyntax, _ codes: [Int: String], _ context: SourceContext
  ) -> CodeFinding? {
    guard let value = literal.representedLiteralValue, isStatusCode(literal) else { return nil }
    guard let name = codes[value] else {
      return context.finding(
        .statusCodeMeaning, at: literal,
        "`\(value)` is not a code of `IntuneMAMEnrollmentStatusCode`")
    }
    guard let other = named(after: literal, codes.values, context), other != name else {
      return nil
    }
    return context.finding(
      .statusCodeMeaning, at: literal,
      "`\(value)` is `\(name)`, not `\(other)` as the comment says",
      suggestion: nil)
  }

  /// Returns whether a number is compared with a status code or converted to a status code.
  private static func isStatusCode(_ literal: IntegerLiteralExprSyntax) -> Bool {
    if let call = literal.parent?.parent?.parent?.as(FunctionCallExprSyntax.self) {
      return call.calledExpression.trimmedDescription.split(separator: ".").last
        == "IntuneMAMEnrollmentStatusCode"
    }
    if let pattern = literal.parent?.as(ExpressionPatternSyntax.self),
      let item = pattern.parent?.as(SwitchCaseItemSyntax.self)
    {
      return isRawCode(item.nearest(SwitchExprSyntax.self)?.subject)
    }
    guard let elements = literal.parent?.as(ExprListSyntax.self).map(Array.init),
      let index = elements.firstIndex(where: { $0.id == ExprSyntax(literal).id })
    else { return false }
    return index >= 2 && isEquality(elements[index - 1]) && isRawCode(elements[index - 2])
      || index + 2 < elements.count && isEquality(elements[index + 1])
        && isRawCode(elements[index + 2])
  }

  private static func isEquality(_ expression: ExprSyntax) -> Bool {
    ["==", "!="].contains(expression.as(BinaryOperatorExprSyntax.self)?.operator.text)
  }

  /// Returns whether an expression ends in `statusCode.rawValue`.
  private static func isRawCode(_ expression: ExprSyntax?) -> Bool {
    guard let member = expression?.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "rawValue"
    else { return false }
    let base = member.base?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    return (base ?? member.base?.trimmedDescription) == "statusCode"
  }

  /// Returns the single status code that a trailing comment names; nil if it names none or several.
  private static func named(
    after literal: IntegerLiteralExprSyntax, _ names: some Sequence<String>,
    _ context: SourceContext
  ) -> String? {
    let rest = context.source.restOfLine(after: literal)
    guard let comment = rest.firstRange(of: "//") else { return nil }
    let words = rest[comment.upperBound...].split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let found = Set(names).filter { name in
      // "timeout" is skipped, because it is also an ordinary word in comments.
      name != "timeout"
        && words.contains { $0 == name || $0 == "IntuneMAMEnrollmentStatus" + capitalized(name) }
    }
    return found.count == 1 ? found.first : nil
  }

  private static func capitalized(_ name: String) -> String {
    name.prefix(1).uppercased() + name.dropFirst()
  }
}
