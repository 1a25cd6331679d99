internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds delegate methods that the selected SDK release does not call or deprecates. For an upgrade, finds delegate
/// methods that the upgrade changes.
enum DelegateMethodCheck {
  static func findings(_ context: SourceContext) -> [CodeFinding] {
    context.all(FunctionDeclSyntax.self).compactMap { finding($0, context) }
  }

  private static func finding(
    _ function: FunctionDeclSyntax, _ context: SourceContext
  ) -> CodeFinding? {
    let delegates = context.delegates(of: function)
    guard !delegates.isEmpty, !isStatic(function) else { return nil }
    let name = MethodName(function)
    let members = delegates.flatMap { context.table.methods(name.description, of: $0) }
    guard !members.isEmpty else { return unknown(function, name, delegates, context) }
    guard let (member, standing) = context.reported(members) else {
      return context.changedBehavior(of: members, at: function.name)
    }
    return finding(function, member, standing, context)
  }

  private static func finding(
    _ function: FunctionDeclSyntax, _ member: APIMember, _ standing: APIMember.Standing,
    _ context: SourceContext
  ) -> CodeFinding? {
    let advice = context.advice(on: member)
    switch standing {
    case .current: return nil
    case .removed(let version):
      var finding = context.finding(
        .removedDelegateMethod, at: function.name,
        "`\(member.name)` is no longer called: \(version) removed it from `\(member.container)`\(advice)"
          + context.citation(of: version))
      // Code that supports several SDK versions implements both methods.
      if let replacement = context.table.replacement(of: member), let type = function.enclosingType,
        context.types.has(replacement.name, in: type)
      {
        finding.severity = .note
      }
      return finding
    case .deprecated(let version):
      return context.finding(
        .deprecatedMember, at: function.name,
        "`\(member.name)` of `\(member.container)` was deprecated in \(version)\(advice)"
          + context.citation(of: version))
    case .tooNew(let version):
      return context.finding(
        .tooNewMember, at: function.name,
        "`\(member.name)` is not called before \(version), but the SDK version is \(context.version)"
      )
    }
  }

  private static func unknown(
    _ function: FunctionDeclSyntax, _ name: MethodName, _ delegates: [String],
    _ context: SourceContext
  ) -> CodeFinding? {
    guard case .pinned = context.sdk, !isPrivate(function) else { return nil }
    let members = delegates.flatMap { context.table.members(of: $0) }.filter { $0.method != nil }
    // The SDK looks the method up by the name in `@objc(selector)`.
    if let selector = objectiveCName(function), members.contains(where: { $0.selector == selector })
    {
      return nil
    }
    guard let nearest = Resemblance(name, function).nearest(among: members, in: context.version)
    else {
      return nil
    }
    return context.finding(
      .unknownDelegateMethod, at: function.name,
      "no version of the SDK calls `\(name)`, which resembles a method of `\(nearest.container)`",
      suggestion: nearest.name)
  }

  private static func isStatic(_ function: FunctionDeclSyntax) -> Bool {
    function.modifiers.contains { ["static", "class"].contains($0.name.text) }
  }

  private static func isPrivate(_ function: FunctionDeclSyntax) -> Bool {
    function.modifiers.contains { ["private", "fileprivate"].contains($0.name.text) }
  }

  private static func objectiveCName(_ function: FunctionDeclSyntax) -> String? {
    for case .attribute(let attribute) in function.attributes
    where attribute.attributeName.trimmedDescription == "objc" {
      return attribute.arguments?.trimmedDescription.filter { !$0.isWhitespace }
    }
    return nil
  }
}
