internal import SwiftSyntax

/// An assignment to a delegate, such as `IntuneMAMEnrollmentManager.instance().delegate = …`.
struct DelegateAssignment {
  /// The class whose delegate is set.
  let manager: String
  let node: SequenceExprSyntax
  let value: ExprSyntax

  /// Returns all assignments to delegates in a file, in the order of the source.
  static func all(in context: SourceContext) -> [DelegateAssignment] {
    context.all(SequenceExprSyntax.self).compactMap { DelegateAssignment($0, context.receivers) }
  }

  private init?(_ node: SequenceExprSyntax, _ receivers: Receivers) {
    let elements = Array(node.elements)
    guard elements.count == 3, elements[1].is(AssignmentExprSyntax.self),
      let member = elements[0].as(MemberAccessExprSyntax.self),
      member.declName.baseName.text == "delegate",
      let manager = receivers.container(of: member.base)
    else { return nil }
    self.manager = manager
    self.node = node
    value = elements[2]
  }

  /// Returns whether the assignment is in `statements`, at any depth of nested blocks.
  func isWithin(_ statements: CodeBlockItemListSyntax) -> Bool {
    sequence(first: Syntax(node), next: \.parent).contains { $0.id == Syntax(statements).id }
  }
}
