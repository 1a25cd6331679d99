internal import Encodings
internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds enrollments that begin before the enrollment delegate is set.
enum DelegateOrderCheck {
  private static let manager = "IntuneMAMEnrollmentManager"
  private static let enrollments: Set<String> = [
    "registerAndEnrollAccountId", "registerAndEnrollAccount", "loginAndEnrollAccount",
  ]

  static func enrolls(_ context: SourceContext) -> Bool {
    context.all(FunctionCallExprSyntax.self).contains { enrollment($0, context) != nil }
  }

  /// Returns the called expression, such as `manager.registerAndEnrollAccountId`, if `call` begins
  /// an enrollment; otherwise nil.
  private static func enrollment(
    _ call: FunctionCallExprSyntax, _ context: SourceContext
  ) -> MemberAccessExprSyntax? {
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      enrollments.contains(member.declName.baseName.identifierText),
      context.receivers.container(of: member.base) == manager
    else { return nil }
    return member
  }

  static func findings(_ context: SourceContext) -> [CodeFinding] {
    let assignments = DelegateAssignment.all(in: context).filter { $0.manager == manager }
    guard !assignments.isEmpty else { return [] }
    return context.all(FunctionCallExprSyntax.self).compactMap { finding($0, assignments, context) }
  }

  private static func finding(
    _ call: FunctionCallExprSyntax, _ assignments: [DelegateAssignment], _ context: SourceContext
  ) -> CodeFinding? {
    guard let member = enrollment(call, context),
      let body = call.nearest(CodeBlockItemListSyntax.self), let function = Body.around(call)
    else { return nil }
    let mine = assignments.filter { Body.around($0.node)?.id == function.id }
    guard !mine.contains(where: { $0.node.position < call.position }),
      let later = mine.first(where: { $0.isWithin(body) })
    else { return nil }
    let line = context.source.position(of: later.node).line
    return context.finding(
      .delegateSetAfterEnrollment, at: member.declName,
      "the request begins before its delegate is set in line \(line)")
  }
}
