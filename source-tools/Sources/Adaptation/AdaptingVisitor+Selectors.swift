internal import SwiftSources
internal import SwiftSyntax

extension AdaptingVisitor {
  /// Replaces `#selector(…)` and `#keyPath(…)`.
  ///
  /// - Returns: Whether `node` is one of these macros.
  func adapt(_ node: MacroExpansionExprSyntax) -> Bool {
    guard let argument = node.arguments.first, node.arguments.count == 1 else { return false }
    switch node.macroName.text {
    case "selector": adaptSelector(node, argument)
    case "keyPath": adaptKeyPath(node, argument.expression)
    default:  // open: any other name
      return false
    }
    return true
  }

  private func adaptSelector(_ node: MacroExpansionExprSyntax, _ argument: LabeledExprSyntax) {
    guard argument.label == nil else {
      return warn(
        node, "a selector of a property's \(argument.label?.text ?? "") cannot be rewritten",
        rule: "propertySelector")
    }
    let reference = MethodReference(argument.expression)
    guard let reference, let type = reference.type ?? node.enclosingType else {
      return warn(node, "the selector's method cannot be determined", rule: "unknownSelector")
    }
    let method = declarations.method(reference.base, labels: reference.labels, of: type)
    if method == nil {
      warn(
        node,
        "no source declares `\(reference.text)`, so the method was not checked",
        rule: "unknownSelector")
    } else if method?.isStatic == true {
      warn(
        node, "`\(reference.text)` is a type method, but a selector calls an instance method",
        rule: "staticSelector")
    } else if let method, method.name.labels.count > 1 {
      warn(
        node,
        "`\(method.name)` has \(method.name.labels.count) parameters, including those with defaults, but a "
          + "selector passes at most one: use a method without parameters that calls it",
        rule: "selectorParameters")
    }
    let name = method?.name.description ?? reference.text
    edit(
      .selector, TextEdit(replacing: node, with: "Selector(\"\(name)\", \(type).\(reference.text))")
    )
  }

  private func adaptKeyPath(_ node: MacroExpansionExprSyntax, _ path: ExprSyntax) {
    guard !path.trimmedDescription.contains(where: \.isNewline) else {
      return warn(node, "a key path that spans several lines cannot be rewritten", rule: "keyPath")
    }
    var parts = path.trimmedDescription.filter { !$0.isWhitespace }.split(separator: ".")
    // The key path starts with a type or with `self`.
    if parts.count > 1, parts[0] == "self" || parts[0].first?.isUppercase == true {
      parts.removeFirst()
    }
    edit(.keyPath, TextEdit(replacing: node, with: "\"\(parts.joined(separator: "."))\""))
  }
}
