internal import SwiftSyntax

/// Finds the body around a node: a function, initializer, accessor or closure.
enum Body {
  /// Returns the innermost function, initializer or accessor around a node. Closures are skipped.
  static func around(_ node: some SyntaxProtocol) -> Syntax? {
    sequence(first: Syntax(node), next: \.parent).dropFirst().first(where: isFunction)
  }

  /// Returns the innermost function, initializer, accessor or closure around a node.
  static func closest(to node: some SyntaxProtocol) -> Syntax? {
    sequence(first: Syntax(node), next: \.parent).dropFirst().first {
      isFunction($0) || $0.is(ClosureExprSyntax.self)
    }
  }

  private static func isFunction(_ node: Syntax) -> Bool {
    node.is(FunctionDeclSyntax.self) || node.is(InitializerDeclSyntax.self)
      || node.is(AccessorBlockSyntax.self) || node.is(DeinitializerDeclSyntax.self)
  }
}
