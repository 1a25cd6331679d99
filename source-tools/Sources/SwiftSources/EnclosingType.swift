public import SwiftSyntax

extension SyntaxProtocol {
  /// The qualified name of the type declaration or extension around the code, such as
  /// `Outer.Inner`; nil outside of types.
  public var enclosingType: String? {
    var names: [String] = []
    for node in sequence(first: Syntax(self), next: \.parent).dropFirst() {
      if let name = node.declaredType { names.insert(name, at: 0) }
    }
    return names.isEmpty ? nil : names.joined(separator: ".")
  }

  /// The name of the type that this node declares or extends; nil for any other node.
  public var declaredType: String? {
    let node = Syntax(self)
    if let type = node.asProtocol((any NamedDeclSyntax).self),
      node.isProtocol((any DeclGroupSyntax).self)
    {
      return type.name.identifierText
    }
    return node.as(ExtensionDeclSyntax.self)?.extendedType.trimmedDescription
  }

  /// Returns the nearest ancestor of a certain kind; nil if there is none.
  public func nearest<Node: SyntaxProtocol>(_: Node.Type) -> Node? {
    sequence(first: Syntax(self), next: \.parent).dropFirst().lazy.compactMap { $0.as(Node.self) }
      .first
  }
}
