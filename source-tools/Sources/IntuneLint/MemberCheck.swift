internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds uses of declarations that the selected SDK release does not have, or that it deprecates.
enum MemberCheck {
  static func findings(_ context: SourceContext) -> [CodeFinding] {
    context.all(MemberAccessExprSyntax.self).compactMap { finding($0, context) }
      + context.all(IdentifierTypeSyntax.self).compactMap { finding($0, context) }
  }

  private static func finding(
    _ type: IdentifierTypeSyntax, _ context: SourceContext
  ) -> CodeFinding? {
    let name = type.name.identifierText
    guard name.hasPrefix("IntuneMAM") else { return nil }
    return finding(context.table.members(of: "").filter { $0.name == name }, at: type, context)
  }

  private static func finding(
    _ access: MemberAccessExprSyntax, _ context: SourceContext
  ) -> CodeFinding? {
    guard let container = context.receivers.container(of: access.base) else { return nil }
    let members = context.table.members(of: container).filter { isMeant($0, by: access) }
    return finding(members, at: access.declName, context)
  }

  private static func finding(
    _ members: [APIMember], at node: some SyntaxProtocol, _ context: SourceContext
  ) -> CodeFinding? {
    guard let (member, standing) = context.reported(members) else {
      return context.changedBehavior(of: members, at: node)
    }
    let home = member.container.isEmpty ? "" : " of `\(member.container)`"
    let subject = "`\(member.name)`\(home)"
    let advice = context.advice(on: member)
    switch standing {
    case .current: return nil
    case .removed(let version):
      return context.finding(
        .removedMember, at: node,
        "\(subject) was removed in \(version)\(advice)\(context.citation(of: version))")
    case .deprecated(let version):
      return context.finding(
        .deprecatedMember, at: node,
        "\(subject) was deprecated in \(version)\(advice)\(context.citation(of: version))")
    case .tooNew(let version):
      return context.finding(
        .tooNewMember, at: node,
        "\(subject) was introduced in \(version), but the SDK version is \(context.version)")
    }
  }

  private static func isMeant(_ member: APIMember, by access: MemberAccessExprSyntax) -> Bool {
    let name = access.declName.baseName.identifierText
    guard let method = member.method else { return member.name == name }
    guard method.base == name else { return false }
    if let stated = access.declName.argumentNames?.arguments {
      return method.labels == stated.map(\.name.identifierText)
    }
    guard let call = access.parent?.as(FunctionCallExprSyntax.self),
      call.calledExpression.id == ExprSyntax(access).id
    else { return true }
    return accepts(call, method.labels)
  }

  /// Returns whether a call matches these labels. Trailing closures match the last labels.
  private static func accepts(_ call: FunctionCallExprSyntax, _ labels: [String]) -> Bool {
    let written = call.arguments.map { $0.label?.identifierText ?? "_" }
    let closures = (call.trailingClosure == nil ? 0 : 1) + call.additionalTrailingClosures.count
    return written.count + closures == labels.count && labels.starts(with: written)
  }
}
