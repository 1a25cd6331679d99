internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds code that an upgrade of the SDK breaks or affects: uses of removed, deprecated or changed declarations,
/// switches without new cases, and types without new required methods. It also reports requirements from the release
/// notes.
struct UpgradeCheck {
  private let from: SDKVersion
  private let to: SDKVersion
  /// Whether a file that imports the SDK has been found. The requirements are reported only for the first such file.
  private var isImported = false

  init(from: SDKVersion, to: SDKVersion) {
    self.from = from
    self.to = to
  }

  mutating func findings(_ context: SourceContext) -> [CodeFinding] {
    requirements(context) + DelegateMethodCheck.findings(context) + MemberCheck.findings(context)
      + context.all(FunctionDeclSyntax.self).flatMap { appMethod($0, context) }
      + context.all(SwitchExprSyntax.self).flatMap { cases($0, context) }
      + context.all(InheritedTypeSyntax.self).flatMap { methods($0, context) }
  }

  /// Returns a finding for each requirement that the upgrade adds. The findings are at the first import of the SDK.
  private mutating func requirements(_ context: SourceContext) -> [CodeFinding] {
    let node = context.all(ImportDeclSyntax.self).first {
      ["IntuneMAM", "IntuneMAMSwift"].contains($0.path.first?.name.text)
    }
    guard !isImported, let node else { return [] }
    isImported = true
    return context.table.requirements(after: from, upTo: to).map { fact in
      context.finding(
        .changedRequirement, at: node, "as of \(fact.version), \(fact.text) (\(fact.source))")
    }
  }

  /// Returns a finding for each change in the way in which the SDK calls this app delegate method.
  private func appMethod(
    _ function: FunctionDeclSyntax, _ context: SourceContext
  ) -> [CodeFinding] {
    let name = MethodName(function).description
    guard function.parent?.is(MemberBlockItemSyntax.self) == true else { return [] }
    return context.table.facts(about: name, of: "UIApplicationDelegate", after: from, upTo: to).map
    {
      context.finding(
        .changedBehavior, at: function.name,
        "`\(name)`: as of \($0.version), \($0.text) (\($0.source))")
    }
  }

  /// Returns a finding if a switch lacks cases that the upgrade adds to an enumeration. The enumeration of a switch is
  /// inferred: the switch must name all cases that existed before the upgrade, and no other names than the
  /// enumeration's cases.
  private func cases(_ node: SwitchExprSyntax, _ context: SourceContext) -> [CodeFinding] {
    guard let named = Self.caseNames(of: node) else { return [] }
    return context.table.enumerations.sorted { $0.key < $1.key }.compactMap { enumeration, cases in
      let old = cases.filter { $0.standing(in: from).isAvailable }.map(\.name)
      let new = cases.filter { isNew($0) && !named.contains($0.name) }
      guard let version = new.compactMap(\.introduced).max(), !old.isEmpty,
        named.isSuperset(of: old), named.isSubset(of: cases.map(\.name))
      else { return nil }
      let list = new.map { "`\($0.name)`" }.joined(separator: ", ")
      return context.finding(
        .missingAfterUpgrade, at: node.switchKeyword,
        "the switch lacks \(list) of `\(enumeration)`, added after \(from); handle it, or add `@unknown default`"
          + context.citation(of: version))
    }
  }

  /// Returns the names of all cases in a switch. Returns nil if it has a default, or a pattern that is not a plain
  /// name.
  private static func caseNames(of node: SwitchExprSyntax) -> Set<String>? {
    var names: Set<String> = []
    for element in node.cases {
      guard case .switchCase(let item) = element, case .case(let label) = item.label else {
        return nil
      }
      for pattern in label.caseItems {
        guard pattern.whereClause == nil,
          let expression = pattern.pattern.as(ExpressionPatternSyntax.self)?.expression,
          let member = expression.as(MemberAccessExprSyntax.self)
        else { return nil }
        names.insert(member.declName.baseName.identifierText)
      }
    }
    return names
  }

  /// Returns a finding for each required method that the upgrade adds to a protocol, and that a conforming type lacks.
  private func methods(_ node: InheritedTypeSyntax, _ context: SourceContext) -> [CodeFinding] {
    guard let type = node.enclosingType, node.nearest(ProtocolDeclSyntax.self) == nil,
      let container = node.type.trimmedDescription.split(separator: ".").last
    else { return [] }
    return context.table.members(of: String(container)).compactMap { member in
      guard member.isRequired, isNew(member), let version = member.introduced,
        !context.types.has(member.name, in: type)
      else { return nil }
      return context.finding(
        .missingAfterUpgrade, at: node,
        "`\(type)` must implement `\(member.name)` as of \(version)" + context.citation(of: version)
      )
    }
  }

  private func isNew(_ member: APIMember) -> Bool {
    !member.standing(in: from).isAvailable && member.standing(in: to).isAvailable
  }
}

extension SourceContext {
  /// Returns the declaration that a finding should report, and its availability in the selected release. Returns nil if
  /// one of the declarations is current or, for an upgrade, if the upgrade does not change the availability.
  ///
  /// - Parameter members: The declarations to which the use may refer.
  func reported(_ members: [APIMember]) -> (APIMember, APIMember.Standing)? {
    guard !members.contains(where: { $0.standing(in: version) == .current }) else { return nil }
    let member = members.first { member in
      switch sdk {
      case .pinned: true
      case .upgrade(let from, let to):
        member.standing(in: from).isAvailable
          && member.standing(in: from) != member.standing(in: to)
      }
    }
    return member.map { ($0, $0.standing(in: version)) }
  }

  /// Returns clauses about a declaration, each of which begins with `; `: its replacement and, for an upgrade, changes
  /// that concern it. Empty if there are none.
  func advice(on member: APIMember) -> String {
    let replacement = table.replacement(of: member)
    let hint = replacement.map { "; the replacement is `\($0.name)`" } ?? ""
    guard case .upgrade(let from, let to) = sdk else { return hint }
    let account =
      replacement?.isByAccount == true ? ", which uses the Entra object ID instead of the UPN" : ""
    let facts = table.facts(about: member.name, of: member.container, after: from, upTo: to)
    return hint + account + facts.map { "; \($0.text) (\($0.source))" }.joined()
  }

  /// Returns the address of a release's notes in parentheses. Returns an empty string if the check is not for an
  /// upgrade.
  func citation(of release: SDKVersion) -> String {
    guard case .upgrade = sdk else { return "" }
    return " (\(APITable.notes(of: release)))"
  }

  /// Returns a finding if the upgrade changes the behaviour of a used declaration; otherwise nil.
  func changedBehavior(of members: [APIMember], at node: some SyntaxProtocol) -> CodeFinding? {
    guard case .upgrade(let from, let to) = sdk, let member = members.first else { return nil }
    let facts = table.facts(about: member.name, of: member.container, after: from, upTo: to)
    guard !facts.isEmpty else { return nil }
    let text = facts.map { "as of \($0.version), \($0.text) (\($0.source))" }
    return finding(
      .changedBehavior, at: node,
      "`\(member.name)` of `\(member.container)`: " + text.joined(separator: "; "))
  }
}
