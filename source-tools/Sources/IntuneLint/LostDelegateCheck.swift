internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds delegates that are deallocated immediately. The manager's reference to them is weak, and no other code retains
/// them.
enum LostDelegateCheck {
  /// The classes that hold their delegate weakly. `IntuneMAMPolicyManager` is not among them.
  private static let weak: Set<String> = [
    "IntuneMAMEnrollmentManager", "IntuneMAMComplianceManager",
  ]

  static func findings(_ context: SourceContext) -> [CodeFinding] {
    let assignments = DelegateAssignment.all(in: context)
    let weakProperties = WeakProperties(context)
    return assignments.filter { weak.contains($0.manager) }.compactMap { finding($0, context) }
      + assignments.filter { weakProperties.hold($0.value) }.map { assignment in
        context.finding(
          .delegateLost, at: assignment.value,
          "`\(assignment.value.trimmedDescription)` is a weak property, so its object is deallocated immediately"
        )
      }
  }

  private static func finding(
    _ assignment: DelegateAssignment, _ context: SourceContext
  ) -> CodeFinding? {
    if isMade(by: assignment.value) {
      return context.finding(
        .delegateLost, at: assignment.value,
        "nothing retains this delegate: `\(assignment.manager)` holds only a weak reference")
    }
    guard let reference = assignment.value.as(DeclReferenceExprSyntax.self),
      isLost(reference, assignment)
    else { return nil }
    return context.finding(
      .delegateLost, at: reference,
      "nothing retains `\(reference.baseName.text)` after this function: `\(assignment.manager)` holds only a weak reference"
    )
  }

  /// Returns whether an expression creates an object, as `Delegate()` does.
  static func isMade(by expression: ExprSyntax?) -> Bool {
    guard let call = expression?.as(FunctionCallExprSyntax.self) else { return false }
    if let name = call.calledExpression.as(DeclReferenceExprSyntax.self) {
      return name.baseName.text.first?.isUppercase == true
    }
    let member = call.calledExpression.as(MemberAccessExprSyntax.self)
    guard let member, let base = member.base?.as(DeclReferenceExprSyntax.self) else { return false }
    return member.declName.baseName.text == "init" && base.baseName.text.first?.isUppercase == true
  }

  /// Returns whether `reference` is a local variable whose object is released when the function ends. This is the case
  /// if the code only uses the object's properties, so nothing else retains the object.
  private static func isLost(
    _ reference: DeclReferenceExprSyntax, _ assignment: DelegateAssignment
  ) -> Bool {
    let name = reference.baseName.text
    guard let body = Body.closest(to: assignment.node) else { return false }
    let bindings = Nodes.all(PatternBindingSyntax.self, in: body, leavingOut: Nodes.isLater)
      .filter { $0.pattern.trimmedDescription == name }
    guard bindings.count == 1, isMade(by: bindings[0].initializer?.value) else { return false }
    let uses = Nodes.all(DeclReferenceExprSyntax.self, in: body)
      .filter { $0.baseName.text == name && $0.id != reference.id }
    return uses.allSatisfy { isHarmless($0, body) }
  }

  /// Returns whether a use of the variable does not retain the object: it only reads or sets a property of the object,
  /// and is not in a closure.
  private static func isHarmless(_ use: DeclReferenceExprSyntax, _ body: Syntax) -> Bool {
    guard let member = use.parent?.as(MemberAccessExprSyntax.self) else { return false }
    // In `other.name`, `name` is a member and not the variable.
    if member.declName.id == use.id { return true }
    return Body.closest(to: use)?.id == body.id
      && member.parent?.is(FunctionCallExprSyntax.self) != true
  }
}
