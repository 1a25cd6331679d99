internal import SwiftSources
internal import SwiftSyntax

/// The types in all files, with their methods and the delegate protocols to which they conform.
struct IntegratedTypes: Sendable {
  static let delegateProtocols = [
    "IntuneMAMComplianceDelegate", "IntuneMAMEnrollmentDelegate", "IntuneMAMPolicyDelegate",
    "IntuneMAMTelemetryDelegate", "IntuneMAMWebViewPolicyDelegate",
  ]
  /// The base names of methods that change the identity, and of delegate methods that are called
  /// when it changes.
  static let identitySwitches: Set<String> = [
    "identitySwitchRequired", "setAccountId", "setCurrentThreadAccountId",
    "setCurrentThreadIdentity",
    "setProcessAccountId", "setProcessIdentity", "setUIPolicyAccountId", "setUIPolicyAccountIds",
    "setUIPolicyIdentity",
  ]

  private var delegates: [String: Set<String>] = [:]
  private var methods: [String: Set<String>] = [:]
  private var switching: Set<String> = []

  init(_ sources: [ParsedSource]) {
    for source in sources {
      let visitor = Visitor(viewMode: .sourceAccurate)
      visitor.walk(source.tree)
      visitor.groups.forEach { add($0, of: $1) }
      for function in visitor.functions { add(function) }
      for call in visitor.calls { add(call) }
    }
  }

  /// Returns whether a file uses the SDK: it contains the SDK's name, or implements a delegate.
  func concerns(_ source: ParsedSource) -> Bool {
    if String(decoding: source.bytes, as: UTF8.self).contains("IntuneMAM") { return true }
    let visitor = Visitor(viewMode: .sourceAccurate)
    visitor.walk(source.tree)
    return visitor.groups.contains { delegates[$0.name] != nil }
  }

  /// Returns the delegate protocols to which a type conforms, sorted by name.
  func delegates(of type: String) -> [String] { delegates[type, default: []].sorted() }

  func has(_ method: String, in type: String) -> Bool { methods[type]?.contains(method) ?? false }

  /// Returns whether a type changes the identity, or implements the delegate method that requests a
  /// change.
  func switchesIdentity(_ type: String) -> Bool { switching.contains(type) }

  private mutating func add(_ name: String, of inheritance: InheritanceClauseSyntax?) {
    let inherited = inheritance?.inheritedTypes.map(\.type.trimmedDescription) ?? []
    let found = Self.delegateProtocols.filter { known in
      inherited.contains { $0.split(separator: ".").last.map(String.init) == known }
    }
    if !found.isEmpty { delegates[name, default: []].formUnion(found) }
  }

  private mutating func add(_ function: FunctionDeclSyntax) {
    guard let type = function.enclosingType else { return }
    let name = MethodName(function)
    methods[type, default: []].insert(name.description)
    if Self.identitySwitches.contains(name.base) { switching.insert(type) }
  }

  private mutating func add(_ call: FunctionCallExprSyntax) {
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self),
      Self.identitySwitches.contains(member.declName.baseName.identifierText),
      let type = call.enclosingType
    else { return }
    switching.insert(type)
  }

  private final class Visitor: SyntaxVisitor {
    var groups: [(name: String, inheritance: InheritanceClauseSyntax?)] = []
    var functions: [FunctionDeclSyntax] = []
    var calls: [FunctionCallExprSyntax] = []

    override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }

    override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind { add(node) }

    override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
      functions.append(node)
      return .visitChildren
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      calls.append(node)
      return .visitChildren
    }

    private func add(_ node: some DeclGroupSyntax) -> SyntaxVisitorContinueKind {
      guard let own = node.declaredType else { return .visitChildren }
      let name = node.enclosingType.map { "\($0).\(own)" } ?? own
      groups.append((name, node.inheritanceClause))
      return .visitChildren
    }
  }
}
