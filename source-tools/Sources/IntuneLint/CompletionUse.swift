internal import SwiftSyntax

/// The uses of a completion handler in a part of the code.
struct CompletionUse {
  /// The direct calls of the handler.
  private(set) var calls: [Syntax] = []
  /// Whether the handler is passed to other code: as an argument, in a closure, or in a variable.
  private(set) var isHandedOn = false
  /// Whether a part of the code runs conditionally, as in `a ? b : c` or `a && b`.
  private(set) var isConditional = false

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

  /// Returns whether code contains a `try` whose error leaves this code.
  static func canThrow(_ node: some SyntaxProtocol) -> Bool {
    Nodes.all(TryExprSyntax.self, in: node, leavingOut: Nodes.isLater).contains {
      $0.questionOrExclamationMark == nil
    }
  }

  /// Returns the call to which the reference belongs, such as `handler(…)`, `handler?(…)` or
  /// `handler!(…)`. Returns nil if the handler is not called there.
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

  /// Returns whether the reference is a member of another value, such as `other.completion`.
  private static func isMember(_ reference: DeclReferenceExprSyntax) -> Bool {
    reference.parent?.as(MemberAccessExprSyntax.self)?.declName.id == reference.id
  }

  private static func isLater(_ reference: DeclReferenceExprSyntax, than root: Syntax) -> Bool {
    sequence(first: Syntax(reference), next: \.parent).prefix { $0.id != root.id }
      .contains(where: Nodes.isLater) || Nodes.isLater(root)
  }
}
