/// The state of a declaration on a device, as a status report states it.
package struct DeclarationState: Sendable, Hashable {
  /// The result of the device's check of a declaration.
  package enum Validity: String, Sendable, Hashable {
    case valid, invalid
    /// The device had no reason yet to check the declaration.
    case unknown
  }

  package var identifier: String
  package var serverToken: String
  package var kind: DeclarationKind
  package var isActive: Bool
  package var validity: Validity
  package var reasons: [StatusReason]

  /// Creates the state of a declaration that is not active yet.
  init(_ checked: CheckedDeclaration) {
    identifier = checked.declaration.identifier
    serverToken = checked.declaration.serverToken
    kind = checked.declaration.kind
    isActive = false
    validity = checked.isValid ? .valid : .invalid
    reasons = checked.faults + checked.notes
  }

  static func precedes(_ left: DeclarationState, _ right: DeclarationState) -> Bool {
    left.kind == right.kind
      ? left.identifier < right.identifier : left.kind.rawValue < right.kind.rawValue
  }
}
