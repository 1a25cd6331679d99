internal import SwiftSources
internal import SwiftSyntax

struct OptionalRequirement {
  /// The behaviour of the default implementation that an optional requirement gets.
  enum Answer {
    /// The default implementation does nothing.
    case nothing
    /// The default implementation returns nil.
    case none
    case trap
  }

  let protocolName: String
  /// The protocol's access level, `public` or `package`; empty for any other level.
  let access: String
  let name: String
  /// The requirement's declaration on one line, without attributes and without `optional`.
  let signature: String
  let answer: Answer
  private let isSettable: Bool
  let modifier: DeclModifierSyntax

  /// Reads a member of a protocol. Returns nil if the member is required.
  init?(_ declaration: DeclSyntax, of node: ProtocolDeclSyntax) {
    if let function = declaration.as(FunctionDeclSyntax.self) {
      let result = function.signature.returnClause?.type
      self.init(function.modifiers, of: node, MethodName(function).description, result) {
        var copy = function
        copy.attributes = []
        copy.modifiers = $0
        return copy.trimmedDescription
      }
    } else if let variable = declaration.as(VariableDeclSyntax.self),
      let binding = variable.bindings.first, let type = binding.typeAnnotation?.type
    {
      let name = binding.pattern.trimmedDescription
      self.init(
        variable.modifiers, of: node, name, type, settable: binding.accessorBlock.isSettable
      ) {
        "\($0.trimmedDescription)\($0.isEmpty ? "" : " ")var \(name): \(type.trimmedDescription)"
      }
    } else if let subscripting = declaration.as(SubscriptDeclSyntax.self) {
      self.init(
        subscripting.modifiers, of: node, "subscript", subscripting.returnClause.type,
        settable: subscripting.accessorBlock.isSettable
      ) {
        var copy = subscripting
        copy.attributes = []
        copy.modifiers = $0
        copy.accessorBlock = nil
        return copy.trimmedDescription
      }
    } else {
      return nil
    }
  }

  private init?(
    _ modifiers: DeclModifierListSyntax, of node: ProtocolDeclSyntax, _ name: String,
    _ result: TypeSyntax?, settable isSettable: Bool = false,
    signature: (DeclModifierListSyntax) -> String
  ) {
    guard let modifier = modifiers.first(where: { $0.name.text == "optional" }) else { return nil }
    self.modifier = modifier
    self.isSettable = isSettable
    self.name = name
    self.signature = Self.line(signature(modifiers.filter { $0.name.text != "optional" }))
    protocolName = node.name.text
    access = node.modifiers.first { ["public", "package"].contains($0.name.text) }?.name.text ?? ""
    answer =
      switch result?.trimmedDescription {
      case nil, "Void", "()": .nothing
      case let type? where type.hasSuffix("?") || type.hasPrefix("Optional<"): .none
      default:  // open: any other type
        .trap
      }
  }

  /// Puts a declaration on one line, without comments.
  private static func line(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { line in
      line.prefix(upTo: line.firstRange(of: "//")?.lowerBound ?? line.endIndex)
        .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return lines.joined(separator: " ").replacing("( ", with: "(").replacing(" )", with: ")")
  }

  /// The default implementation, on one line.
  var defaultDeclaration: String {
    let body =
      switch answer {
      case .nothing: ""
      case .none: " nil "
      case .trap:
        " fatalError(\"the optional requirement `\(name)` of `\(protocolName)` is not implemented\") "
      }
    // The setter is empty. It is never used, because an optional requirement cannot be assigned to
    // unless a type implements it.
    let block = isSettable ? "{ get {\(body)} set {} }" : "{\(body)}"
    return (access.isEmpty ? "" : access + " ") + signature + " " + block
  }
}

extension AccessorBlockSyntax? {
  fileprivate var isSettable: Bool {
    guard case .accessors(let accessors) = self?.accessors else { return false }
    return accessors.contains { $0.accessorSpecifier.tokenKind == .keyword(.set) }
  }
}
