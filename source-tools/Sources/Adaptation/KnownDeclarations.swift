internal import SwiftSources
internal import SwiftSyntax

/// The declarations in the adapted files to which any of these files may refer.
struct KnownDeclarations: Sendable {
  /// The base names of the optional methods of `@objc` protocols.
  private(set) var optionalMethods: Set<String> = []
  /// The names of all stored and computed properties.
  private(set) var properties: Set<String> = []
  /// The methods, keyed by their base name.
  private(set) var methods: [String: [KnownMethod]] = [:]
  /// The files that contain an entry point of the app. Files named `main.swift` come first. Files with `@main`,
  /// `@UIApplicationMain` or `@NSApplicationMain` follow.
  private(set) var entries: [String] = []

  init(_ sources: [ParsedSource]) {
    let visitor = Visitor(viewMode: .sourceAccurate)
    for source in sources {
      let isMain = source.file.split(separator: "/").last == "main.swift"
      visitor.hasEntry = isMain
      visitor.walk(source.tree)
      if visitor.hasEntry { entries.insert(source.file, at: isMain ? 0 : entries.count) }
    }
    optionalMethods = visitor.optionalMethods
    properties = visitor.properties
    methods = visitor.methods
  }

  /// Returns the method to which a selector refers; nil if no file declares it. If the type itself does not declare the
  /// method, another type's method is assumed to be inherited.
  ///
  /// - Parameter labels: The argument labels; nil if the selector has none.
  func method(_ base: String, labels: [String]?, of type: String) -> KnownMethod? {
    let candidates = methods[base, default: []].filter { labels == nil || labels == $0.name.labels }
    return candidates.first { $0.type == type } ?? candidates.first
  }

  private final class Visitor: SyntaxVisitor {
    var optionalMethods: Set<String> = []
    var properties: Set<String> = []
    var methods: [String: [KnownMethod]] = [:]
    var hasEntry = false

    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind {
      let names = ["main", "UIApplicationMain", "NSApplicationMain"]
      if names.contains(node.attributeName.trimmedDescription) { hasEntry = true }
      return .skipChildren
    }

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

/// A method to which a selector may refer.
struct KnownMethod: Sendable {
  let name: MethodName
  /// The type that declares the method; nil for a free function.
  let type: String?
  let isStatic: Bool
}

extension DeclModifierListSyntax {
  var isOptional: Bool { contains { $0.name.text == "optional" } }

  var isStatic: Bool { contains { ["static", "class"].contains($0.name.text) } }
}
