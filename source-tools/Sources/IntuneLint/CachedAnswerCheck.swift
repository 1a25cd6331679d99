internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds properties that cache values of the policy, in a type that changes the identity. After the
/// change, the values belong to the previous identity.
enum CachedAnswerCheck {
  static func findings(_ context: SourceContext) -> [CodeFinding] {
    let properties = context.all(VariableDeclSyntax.self).filter { isStored($0, context) }
    let initialized = properties.flatMap { initialValues(of: $0, context) }
    return initialized + assigned(properties, context)
  }

  private static func isStored(_ variable: VariableDeclSyntax, _ context: SourceContext) -> Bool {
    guard variable.parent?.is(MemberBlockItemSyntax.self) == true,
      let type = variable.enclosingType, context.types.switchesIdentity(type)
    else { return false }
    return variable.bindings.allSatisfy { binding in
      switch binding.accessorBlock?.accessors {
      case nil: true
      case .getter: false
      case .accessors(let accessors):
        accessors.allSatisfy { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
      }
    }
  }

  private static func initialValues(
    of variable: VariableDeclSyntax, _ context: SourceContext
  ) -> [CodeFinding] {
    variable.bindings.filter { asksPolicy($0.initializer?.value, context) }
      .map { finding($0, $0.pattern.trimmedDescription, context) }
  }

  private static func assigned(
    _ properties: [VariableDeclSyntax], _ context: SourceContext
  ) -> [CodeFinding] {
    let assignments = context.all(SequenceExprSyntax.self).compactMap { node -> Assignment? in
      guard let assignment = Assignment(node),
        properties.contains(where: { assignment.concerns($0) }),
        asksPolicy(assignment.value, context)
      else { return nil }
      return assignment
    }
    // A property that is updated at each identity change does not become stale.
    let renewed = assignments.filter { switches($0.node) }.map(\.property)
    return assignments.filter { !renewed.contains($0.property) }
      .map { finding($0.node, $0.property, context) }
  }

  private static func finding(
    _ node: some SyntaxProtocol, _ property: String, _ context: SourceContext
  ) -> CodeFinding {
    context.finding(
      .cachedPolicyAnswer, at: node,
      "`\(property)` caches a policy value of one identity, but the type changes the identity"
    )
  }

  /// Returns whether an expression queries the policy. Queries in closures do not count.
  private static func asksPolicy(_ value: ExprSyntax?, _ context: SourceContext) -> Bool {
    guard let value, !value.is(ClosureExprSyntax.self) else { return false }
    return Nodes.all(MemberAccessExprSyntax.self, in: value, leavingOut: Nodes.isLater).contains {
      let name = $0.declName.baseName.identifierText
      switch context.receivers.container(of: $0.base) {
      case "IntuneMAMPolicyManager": return name == "policy"
      case "IntuneMAMPolicy": return true
      default:  // open: any other type, or none
        return false
      }
    }
  }

  /// Returns whether an assignment runs at a change of the identity: the function that contains it
  /// changes the identity, or is called at a change.
  private static func switches(_ node: SequenceExprSyntax) -> Bool {
    guard let body = Body.around(node) else { return false }
    let own = body.as(FunctionDeclSyntax.self).map { [$0.name.identifierText] } ?? []
    let called = Nodes.all(MemberAccessExprSyntax.self, in: body).map(
      \.declName.baseName.identifierText)
    return !IntegratedTypes.identitySwitches.isDisjoint(with: own + called)
  }

  /// An assignment of the form `property = value` or `self.property = value`.
  private struct Assignment {
    let node: SequenceExprSyntax
    let property: String
    let value: ExprSyntax

    init?(_ node: SequenceExprSyntax) {
      let elements = Array(node.elements)
      guard elements.count >= 3, elements[1].is(AssignmentExprSyntax.self) else { return nil }
      if let member = elements[0].as(MemberAccessExprSyntax.self),
        ["self", "Self"].contains(member.base?.trimmedDescription)
      {
        property = member.declName.baseName.identifierText
      } else if let name = elements[0].as(DeclReferenceExprSyntax.self) {
        property = name.baseName.identifierText
      } else {
        return nil
      }
      self.node = node
      value = elements[2]
    }

    /// Returns whether the assignment sets `variable`, and both are in the same type.
    func concerns(_ variable: VariableDeclSyntax) -> Bool {
      variable.enclosingType == node.enclosingType
        && variable.bindings.contains { $0.pattern.trimmedDescription == property }
    }
  }
}
