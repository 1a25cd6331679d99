internal import SwiftSources
internal import SwiftSyntax

/// Infers the SDK class of an expression from the source of a single file. Infers none if the class
/// is uncertain.
struct Receivers {
  private let table: APITable
  /// The classes of variables, constants and parameters, keyed by name. The value is nil if the
  /// name is ambiguous.
  private var variables: [String: String?] = [:]

  init(_ nodes: [Syntax], _ table: APITable) {
    self.table = table
    // A second pass resolves variables that are initialized from other variables.
    for _ in 0..<2 { variables = types(in: nodes) }
  }

  private func types(in nodes: [Syntax]) -> [String: String?] {
    var found: [String: String?] = [:]
    for (name, type) in bindings(in: nodes) {
      let isOther = found[name].map { $0 != type } ?? false
      found[name] = .some(isOther ? nil : type)
    }
    return found
  }

  /// Returns the SDK class or protocol of `expression`; nil if it cannot be inferred.
  func container(of expression: ExprSyntax?) -> String? {
    guard let expression else { return nil }
    if let reference = expression.as(DeclReferenceExprSyntax.self) {
      let name = reference.baseName.identifierText
      if let type = variables[name] { return type }
      return name.hasPrefix("IntuneMAM") && !table.members(of: name).isEmpty ? name : nil
    }
    if let member = expression.as(MemberAccessExprSyntax.self),
      member.base?.trimmedDescription == "self"
    {
      return variables[member.declName.baseName.identifierText] ?? nil
    }
    if let chain = expression.as(OptionalChainingExprSyntax.self) {
      return container(of: chain.expression)
    }
    if let forced = expression.as(ForceUnwrapExprSyntax.self) {
      return container(of: forced.expression)
    }
    if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1 {
      return container(of: tuple.elements.first?.expression)
    }
    return expression.as(FunctionCallExprSyntax.self).flatMap(container(ofCall:))
  }

  private func container(ofCall call: FunctionCallExprSyntax) -> String? {
    guard let member = call.calledExpression.as(MemberAccessExprSyntax.self) else { return nil }
    let name = member.declName.baseName.identifierText
    if name == "instance", let type = member.base?.trimmedDescription.split(separator: ".").last,
      type.hasPrefix("IntuneMAM")
    {
      return String(type)
    }
    guard name == "policy", container(of: member.base) == "IntuneMAMPolicyManager" else {
      return nil
    }
    return "IntuneMAMPolicy"
  }

  private func bindings(in nodes: [Syntax]) -> [(String, String?)] {
    let patterns = nodes.compactMap { $0.as(PatternBindingSyntax.self) }.map { binding in
      (
        binding.pattern.trimmedDescription,
        type(binding.typeAnnotation?.type, binding.initializer?.value)
      )
    }
    let conditions = nodes.compactMap { $0.as(OptionalBindingConditionSyntax.self) }
      // `if let policy` keeps the type of the variable that it unwraps.
      .filter { $0.initializer != nil }
      .map { ($0.pattern.trimmedDescription, type($0.typeAnnotation?.type, $0.initializer?.value)) }
    let parameters = nodes.compactMap { $0.as(FunctionParameterSyntax.self) }.map { parameter in
      ((parameter.secondName ?? parameter.firstName).identifierText, type(parameter.type, nil))
    }
    return patterns + conditions + parameters
  }

  private func type(_ annotation: TypeSyntax?, _ value: ExprSyntax?) -> String? {
    guard let annotation else { return container(of: value) }
    var name = annotation.trimmedDescription.filter { !"?!() ".contains($0) }
    if annotation.trimmedDescription.hasPrefix("any ")
      || annotation.trimmedDescription.hasPrefix("(any ")
    {
      name = String(name.dropFirst(3))
    }
    return table.members(of: name).isEmpty ? nil : name
  }
}
