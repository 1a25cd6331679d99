internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds numbers that are used as status codes, but are invalid or contradict a comment on their line.
struct StatusCodeCheck {
  private let context: SourceContext
  private let codes: [Int: String]
  /// The initial values of the file's constants and variables. A variable that a function declares twice has no entry.
  private let values: [Variable: ExprSyntax]

  private struct Variable: Hashable {
    let name: String
    /// The function that declares the variable; nil outside of functions.
    let function: SyntaxIdentifier?

    init(name: String, around node: some SyntaxProtocol) {
      self.name = name
      function = Body.around(node)?.id
    }
  }

  static func findings(_ context: SourceContext) -> [CodeFinding] {
    let check = StatusCodeCheck(context)
    guard !check.codes.isEmpty else { return [] }
    return context.all(IntegerLiteralExprSyntax.self).compactMap(check.finding)
  }

  /// Returns the integer literals that are used as status codes, each with the name of its code.
  static func statuses(in context: SourceContext) -> [(IntegerLiteralExprSyntax, String)] {
    let check = StatusCodeCheck(context)
    return context.all(IntegerLiteralExprSyntax.self).compactMap { literal in
      guard let name = literal.representedLiteralValue.flatMap({ check.codes[$0] }),
        check.isStatusCode(literal)
      else { return nil }
      return (literal, name)
    }
  }

  private init(_ context: SourceContext) {
    self.context = context
    codes = context.table.statusCodes
    let named = context.all(PatternBindingSyntax.self).compactMap { binding in
      binding.initializer.map {
        (Variable(name: binding.pattern.trimmedDescription, around: binding), $0.value)
      }
    }
    // A name that a function declares twice is ambiguous, so its uses are not checked.
    values = Dictionary(grouping: named, by: \.0).compactMapValues { all in
      all.count == 1 ? all.first?.1 : nil
    }
  }

  private func finding(_ literal: IntegerLiteralExprSyntax) -> CodeFinding? {
    guard let value = literal.representedLiteralValue, isStatusCode(literal) else { return nil }
    guard let name = codes[value] else {
      return context.finding(
        .statusCodeMeaning, at: literal,
        "`\(value)` is not a value of `IntuneMAMEnrollmentStatusCode`")
    }
    guard let other = named(after: literal), other != name else { return nil }
    return context.finding(
      .statusCodeMeaning, at: literal,
      "`\(value)` is `\(name)`, but the comment names `\(other)`",
      suggestion: nil)
  }

  /// Returns whether a number is compared with a status code, or is converted to one.
  private func isStatusCode(_ literal: IntegerLiteralExprSyntax) -> Bool {
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

  private func isEquality(_ expression: ExprSyntax) -> Bool {
    ["==", "!="].contains(expression.as(BinaryOperatorExprSyntax.self)?.operator.text)
  }

  /// Returns whether an expression is the number of a status code: `statusCode.rawValue`, its conversion to another
  /// integer type, or a variable of the same function with such a value.
  private func isRawCode(_ expression: ExprSyntax?) -> Bool {
    guard let expression else { return false }
    guard let name = expression.as(DeclReferenceExprSyntax.self)?.baseName.text else {
      return Self.isRawCode(expression)
    }
    let value = values[Variable(name: name, around: expression)]
    return value.map(Self.isRawCode) ?? false
  }

  private static func isRawCode(_ expression: ExprSyntax) -> Bool {
    if let call = expression.as(FunctionCallExprSyntax.self),
      integers.contains(call.calledExpression.trimmedDescription),
      let argument = call.arguments.first, call.arguments.count == 1
    {
      return isRawValue(argument.expression)
    }
    return isRawValue(expression)
  }

  private static let integers: Set<String> = [
    "Int", "Int16", "Int32", "Int64", "UInt", "UInt16", "UInt32", "UInt64", "NSInteger",
  ]

  private static func isRawValue(_ expression: ExprSyntax) -> Bool {
    guard let member = expression.as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "rawValue"
    else { return false }
    let base = member.base?.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    return (base ?? member.base?.trimmedDescription) == "statusCode"
  }

  /// Returns the status code that a comment after the number names; nil if the comment names none or several.
  private func named(after literal: IntegerLiteralExprSyntax) -> String? {
    let rest = context.source.restOfLine(after: literal)
    guard let comment = rest.firstRange(of: "//") else { return nil }
    let words = rest[comment.upperBound...].split { !$0.isLetter && !$0.isNumber }.map(String.init)
    let found = Set(codes.values).filter { name in words.contains { Self.isName($0, of: name) } }
    return found.count == 1 ? found.first : nil
  }

  /// Returns whether a word of a comment names a status code: `authRequired`, `AuthRequired` or
  /// `IntuneMAMEnrollmentStatusAuthRequired`. A code with a lowercase name, such as `timeout`, is an ordinary word, and
  /// is recognised only with the prefix.
  private static func isName(_ word: String, of name: String) -> Bool {
    let (word, own) = (word.lowercased(), name.lowercased())
    return word == "intunemamenrollmentstatus" + own || own != name && word == own
  }
}
