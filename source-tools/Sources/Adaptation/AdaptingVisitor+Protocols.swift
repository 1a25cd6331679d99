internal import SwiftSources
internal import SwiftSyntax

extension AdaptingVisitor {
  /// Converts an `@objc` protocol into a Swift protocol.
  func adapt(_ node: ProtocolDeclSyntax) {
    guard node.attributes.contains(where: \.isObjC) else { return }
    confineToClasses(node)
    for member in node.memberBlock.members { adapt(member.decl, of: node) }
  }

  private func confineToClasses(_ node: ProtocolDeclSyntax) {
    let inherited = node.inheritanceClause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
    guard Set(inherited).isDisjoint(with: ["AnyObject", "class", "NSObjectProtocol"]) else {
      return
    }
    if let first = node.inheritanceClause?.inheritedTypes.first {
      edit(.classProtocol, TextEdit(before: first, "AnyObject, "))
    } else {
      edit(.classProtocol, TextEdit(after: node.name, ": AnyObject"))
    }
  }

  private func adapt(_ declaration: DeclSyntax, of node: ProtocolDeclSyntax) {
    guard let requirement = OptionalRequirement(declaration, of: node) else { return }
    edit(.optionalRequirement, TextEdit(removingModifier: requirement.modifier))
    add(requirement)
    guard case .trap = requirement.answer else { return }
    warn(
      declaration,
      "a missing implementation of `\(requirement.name)` cannot be detected: the default implementation at the "
        + "end of the file terminates the program", rule: "optionalResult")
  }
}

extension AttributeListSyntax.Element {
  /// Whether the attribute is `@objc`, with or without a name.
  fileprivate var isObjC: Bool {
    self.as(AttributeSyntax.self)?.attributeName.trimmedDescription == "objc"
  }
}

extension TextEdit {
  fileprivate init(removingModifier node: DeclModifierSyntax) {
    let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
    let spaces = node.trailingTrivia.prefix { $0.isSpaceOrTab }.map(\.sourceLength.utf8Length)
    self.init(start..<node.endPositionBeforeTrailingTrivia.utf8Offset + spaces.reduce(0, +), "")
  }
}
