internal import SwiftSources
internal import SwiftSyntax

/// What the adapted files declare, as far as it matters in other files.
struct KnownDeclarations: Sendable {
  /// The base names of optional methods of `@objc` protocols.
  private(set) var optionalMethods: Set<String> = []
  /// The names of all stored and computed properties.
  private(set) var properties: Set<String> = []
  /// The methods by their base name.
  private(set) var methods: [String: [KnownMethod]] = [:]

  /// The declarations of `sources`.
  init(_ sources: [ParsedSource]) {
    let visitor = Visitor(viewMode: .sourceAccurate)
    for source in sources { visitor.walk(source.tree) }
    optionalMethods = visitor.optionalMethods
    properties = visitor.properties
    methods = visitor.methods
  }

  /// The method that a selector means, if one of the files declares it: of the type itself, or of one that it may inherit
  /// from.
  ///
  /// - Parameter labels: the argument labels, where the selector states them.
  func method(_ base: String, labels: [String]?, of type: String) -> KnownMethod? {
    let candidates = methods[base, default: []].filter { labels == nil || labels == $0.name.labels }
    return candidates.first { $0.type == type } ?? candidates.first
  }

  private final class Visitor: SyntaxVisitor {
    var optionalMethods: Set<String> = []
    var properties: Set<String> = []
    var methods: [String: [KnownMethod]] = [:]

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
      let name = MethodName(node)
      if node.modifiers.isOptional { optionalMethods.insert(name.base) }
      methods[name.base, default: []].append(
        KnownMethod(name: name, type: node.enclosingType, isStatic: node.modifiers.isStatic))
      return .visitChildren
    }

    override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
      for binding in node.bindings {
        guard let name = binding.pattern.as(IdentifierPatternSyntax.self) else { continue }
        properties.insert(name.identifier.identifierText)
      }
      return .visitChildren
    }
  }
}

/// A method that a selector may mean.
struct KnownMethod: Sendable {
  let name: MethodName
  /// The type that has it; nil for a function of its own.
  let type: String?
  /// Whether it is the type's own, not its instances'.
  let isStatic: Bool
}

extension DeclModifierListSyntax {
  /// Whether `optional` is among the modifiers.
  var isOptional: Bool { contains { $0.name.text == "optional" } }

  /// Whether the declaration is the type's own.
  var isStatic: Bool { contains { ["static", "class"].contains($0.name.text) } }
}
