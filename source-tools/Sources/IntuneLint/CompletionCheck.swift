internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds completion handlers of delegate methods that some path never calls, or calls twice.
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
        .completionNotCalled, at: $0, "a path ends here without a call of `\(handler)`")
    }
    return missing
      + paths.repeated.map {
        context.finding(
          .completionCalledTwice, at: $0, "`\(handler)` has already been called on this path")
      }
  }

  /// Returns the internal name of the completion handler parameter; nil if there is none, or if the name is `_`.
  private static func handler(of function: FunctionDeclSyntax) -> String? {
    let parameter = function.signature.parameterClause.parameters.first {
      ["completion", "completionHandler"].contains($0.firstName.identifierText)
    }
    let name = parameter.map { ($0.secondName ?? $0.firstName).identifierText }
    return name == "_" ? nil : name
  }
}
