internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds completion handlers of delegate methods that are not called on every path, or are called twice on a path.
enum CompletionCheck {
  static func findings(_ context: SourceContext) -> [CodeFinding] {
    context.all(FunctionDeclSyntax.self).flatMap { findings($0, context) }
  }

  private static func findings(
    _ function: FunctionDeclSyntax, _ context: SourceContext
  ) -> [CodeFinding] {
    let name = MethodName(function).description
    let delegates = context.delegates(of: function)
    guard delegates.contains(where: { !context.table.methods(name, of: $0).isEmpty }),
      let body = function.body, let handler = handler(of: function)
    else { return [] }
    guard
      Nodes.all(DeclReferenceExprSyntax.self, in: body).contains(where: {
        $0.baseName.text == handler
      })
    else {
      return [
        context.finding(
          .completionNotCalled, at: function.name, "`\(name)` never calls `\(handler)`")
      ]
    }
    var paths = CompletionPaths(handler)
    let ends = paths.ends(of: body)
    let missing = ends.map {
      context.finding(
        .completionNotCalled, at: $0,
        "a path through this function ends here without a call of `\(handler)`")
    }
    return missing
      + paths.repeated.map {
        context.finding(
          .completionCalledTwice, at: $0, "`\(handler)` has already been called on this path")
      }
  }

  /// Returns the name by which the function's body refers to the completion handler. Nil if there is no such parameter,
  /// or if its name is `_`.
  private static func handler(of function: FunctionDeclSyntax) -> String? {
    let parameter = function.signature.parameterClause.parameters.first {
      ["completion", "completionHandler"].contains($0.firstName.identifierText)
    }
    let name = parameter.map { ($0.secondName ?? $0.firstName).identifierText }
    return name == "_" ? nil : name
  }
}
