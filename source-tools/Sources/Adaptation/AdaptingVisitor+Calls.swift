internal import SwiftSources
internal import SwiftSyntax

extension AdaptingVisitor {
  /// Removes the question mark from calls of optional requirements, and warns about calls that need the Objective-C
  /// runtime.
  func adapt(_ node: FunctionCallExprSyntax) {
    adaptOptionalCall(node)
    let name =
      node.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      ?? node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.text
    guard let name else { return }
    let labels = node.arguments.map { $0.label?.text ?? "_" }
    switch (name, labels.first) {
    case ("NSSelectorFromString", _):
      warn(
        node, "without the Objective-C runtime, a method cannot be looked up by a string",
        rule: "stringSelector")
    case ("Selector", "_") where labels.count == 1:
      warn(
        node, "without the Objective-C runtime, a method cannot be looked up by a string",
        rule: "stringSelector")
    case ("NSClassFromString", _):
      warn(node, "a class that is looked up by a string may be missing", rule: "stringClass")
    case (let name, _) where name.hasPrefix("perform") && isSelector(node.arguments.first):
      warn(node, "`\(name)` is a method of the Objective-C runtime", rule: "performSelector")
    case ("responds", "to"):
      warn(node, "`responds(to:)` is a method of the Objective-C runtime", rule: "respondsTo")
    case ("observe", "_") where node.arguments.first?.expression.is(KeyPathExprSyntax.self) == true,
      ("addObserver", "_") where labels.contains("forKeyPath"):
      warn(node, "key-path observers are not notified", rule: "keyPathObserver")
    default:  // open: any other name
      break
    }
  }

  private func isSelector(_ argument: LabeledExprSyntax?) -> Bool {
    guard let expression = argument?.expression else { return false }
    let text = expression.trimmedDescription
    return expression.is(MacroExpansionExprSyntax.self) || text.hasPrefix("Selector(")
      || text.lowercased().hasSuffix("selector") || text.hasPrefix("NSSelectorFromString")
  }

  private func adaptOptionalCall(_ node: FunctionCallExprSyntax) {
    guard let chain = node.calledExpression.as(OptionalChainingExprSyntax.self),
      let member = chain.expression.as(MemberAccessExprSyntax.self)
    else { return }
    let name = member.declName.baseName.identifierText
    guard declarations.optionalMethods.contains(name) else { return }
    guard !declarations.properties.contains(name) else {
      return warn(
        member.declName,
        "`\(name)` is both an optional requirement and a property, so the call is not rewritten",
        rule: "optionalCall")
    }
    edit(.optionalCall, TextEdit(replacing: chain.questionMark, with: ""))
  }
}
