internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds methods of policy delegates that always return the same constant, regardless of the result of their work.
enum ConstantAnswerCheck {
  private static let wipes: Set<String> = ["wipeData(forAccountId:)", "wipeData(forAccount:)"]

  static func findings(_ context: SourceContext) -> [CodeFinding] {
    context.all(FunctionDeclSyntax.self).compactMap { finding($0, context) }
  }

  private static func finding(
    _ function: FunctionDeclSyntax, _ context: SourceContext
  ) -> CodeFinding? {
    let name = MethodName(function).description
    let isRestart = name == "restartApplication()"
    guard isRestart || wipes.contains(name),
      context.delegates(of: function).contains("IntuneMAMPolicyDelegate"),
      let body = function.body, let answer = onlyAnswer(of: body)
    else { return nil }
    guard isRestart else {
      return context.finding(
        .wipeAlwaysAnswers, at: function.name,
        "`\(name)` returns `\(answer)`, regardless of the outcome of the wipe")
    }
    guard answer == "true", body.statements.count == 1 else { return nil }
    return context.finding(
      .restartNotHandled, at: function.name,
      "`\(name)` only returns `true`, so neither the app nor the SDK performs the restart")
  }

  private static func onlyAnswer(of body: CodeBlockSyntax) -> String? {
    let returns = Nodes.all(ReturnStmtSyntax.self, in: body, leavingOut: Nodes.isLater)
    var values = returns.map(\.expression)
    if returns.isEmpty, body.statements.count == 1,
      case .expr(let value)? = body.statements.first?.item
    {
      values = [value]
    }
    let answers = Set(values.map { literal($0, body) })
    return answers.count == 1 ? answers.first ?? nil : nil
  }

  /// Returns the value of a Boolean literal, or of a variable whose only value is such a literal. Returns nil for other
  /// expressions.
  private static func literal(_ value: ExprSyntax?, _ body: CodeBlockSyntax) -> String? {
    if let literal = value?.as(BooleanLiteralExprSyntax.self) { return literal.literal.text }
    guard let name = value?.as(DeclReferenceExprSyntax.self)?.baseName.text else { return nil }
    let bindings = Nodes.all(PatternBindingSyntax.self, in: body)
      .filter { $0.pattern.trimmedDescription == name }
    let uses = Nodes.all(DeclReferenceExprSyntax.self, in: body).filter { $0.baseName.text == name }
    guard bindings.count == 1, uses.allSatisfy({ $0.parent?.is(ReturnStmtSyntax.self) == true })
    else {
      return nil
    }
    return bindings[0].initializer?.value.as(BooleanLiteralExprSyntax.self)?.literal.text
  }
}
