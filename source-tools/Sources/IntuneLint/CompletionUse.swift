internal import SwiftSyntax

/// What a piece of code does with a completion handler.
struct CompletionUse {
  /// The calls that are made then and there.
  private(set) var calls: [Syntax] = []
  /// Whether other code gets it: as an argument, in a closure, in a variable.
  private(set) var isHandedOn = false
  /// Whether not all of the code runs: `a ? b : c`, `a && b`.
  private(set) var isConditional = false

  /// The use of `handler` in `node`.
  init(of handler: String, in node: some SyntaxProtocol) {
    for reference in Nodes.all(DeclReferenceExprSyntax.self, in: node)
    where reference.baseName.text == handler && !Self.isMember(reference) {
      if let call = Self.call(of: reference), !Self.isLater(reference, than: Syntax(node)) {
        calls.append(call)
      } else {
        isHandedOn = true
      }
    }
    isConditional =
      !Nodes.all(UnresolvedTernaryExprSyntax.self, in: node).isEmpty
      || !Nodes.all(IfExprSyntax.self, in: node).isEmpty
      || !Nodes.all(SwitchExprSyntax.self, in: node).isEmpty
      || Nodes.all(BinaryOperatorExprSyntax.self, in: node).contains {
        ["&&", "||", "??"].contains($0.operator.text)
      }
  }

  /// Whether code has a `try` whose error goes on.
  static func canThrow(_ node: some SyntaxProtocol) -> Bool {
    Nodes.all(TryExprSyntax.self, in: node, leavingOut: Nodes.isLater).contains {
      $0.questionOrExclamationMark == nil
    }
  }

  /// The call of a handler: `handler(…)`, `handler?(…)` or `handler!(…)`; nil where it is not called.
  private static func call(of reference: DeclReferenceExprSyntax) -> Syntax? {
    var called = Syntax(reference)
    while let parent = called.parent,
      parent.is(OptionalChainingExprSyntax.self) || parent.is(ForceUnwrapExprSyntax.self)
    {
      called = parent
    }
    let call = called.parent?.as(FunctionCallExprSyntax.self)
    return call?.calledExpression.id == called.as(ExprSyntax.self)?.id
      ? call.map { Syntax($0) } : nil
  }

  /// `other.completion` is something else.
  private static func isMember(_ reference: DeclReferenceExprSyntax) -> Bool {
    reference.parent?.as(MemberAccessExprSyntax.self)?.declName.id == reference.id
  }

  private static func isLater(_ reference: DeclReferenceExprSyntax, than root: Syntax) -> Bool {
    sequence(first: Syntax(reference), next: \.parent).prefix { $0.id != root.id }
      .contains(where: Nodes.isLater) || Nodes.isLater(root)
  }
}
