public import SwiftSyntax

extension SyntaxProtocol {
  /// The name of the type whose declaration or extension the code lies in, such as `Outer.Inner`; nil outside of types.
  public var enclosingType: String? {
    var names: [String] = []
    for node in sequence(first: Syntax(self), next: \.parent).dropFirst() {
      if let name = node.declaredType { names.insert(name, at: 0) }
    }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }

  /// The name of the type that this is the declaration or extension of.
  public var declaredType: String? {
    let node = Syntax(self)
    if let type = node.asProtocol((any NamedDeclSyntax).self),
      node.isProtocol((any DeclGroupSyntax).self)
    {
      return type.name.identifierText
    }
    return node.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
  }

  /// The nearest ancestor of a kind.
  public func nearest<Node: SyntaxProtocol>(_: Node.Type) -> Node? {
    sequence(first: Syntax(self), next: \.parent).dropFirst().lazy.compactMap { $0.as(Node.self) }
      .first
  }
}
