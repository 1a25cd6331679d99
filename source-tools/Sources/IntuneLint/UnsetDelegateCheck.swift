internal import Output
internal import SwiftSources
internal import SwiftSyntax

/// Finds types that conform to a delegate protocol, although no file sets a delegate of this protocol.
///
/// If the files are only a part of the app, another file may set the delegate. Types are therefore reported only if the
/// files enroll accounts or set another delegate.
struct UnsetDelegateCheck {
  /// The managers with a delegate of their own, keyed by delegate protocol.
  private static let managers = [
    "IntuneMAMComplianceDelegate": "IntuneMAMComplianceManager",
    "IntuneMAMEnrollmentDelegate": "IntuneMAMEnrollmentManager",
    "IntuneMAMPolicyDelegate": "IntuneMAMPolicyManager",
  ]

  /// The managers whose delegates are set in a file.
  private var assigned: Set<String> = []
  private var enrolls = false
  private var conformances: [(manager: String, finding: CodeFinding)] = []

  /// Adds the delegates that a file sets, and the types in it that conform to a delegate protocol.
  mutating func add(_ context: SourceContext) {
    assigned.formUnion(DelegateAssignment.all(in: context).map(\.manager))
    enrolls = enrolls || DelegateOrderCheck.enrolls(context)
    for clause in context.all(InheritanceClauseSyntax.self)
    where clause.parent?.is(ProtocolDeclSyntax.self) != true {
      for inherited in clause.inheritedTypes {
        let type = inherited.type.trimmedDescription.split(separator: ".").last.map(String.init)
        guard let type, let manager = Self.managers[type] else { continue }
        let finding = context.finding(
          .delegateNotSet, at: inherited.type,
          "no file sets the delegate of `\(manager)`, so the SDK does not call this type")
        conformances.append((manager, finding))
      }
    }
  }

  var findings: [CodeFinding] {
    guard enrolls || !assigned.isEmpty else { return [] }
    return conformances.filter { !assigned.contains($0.manager) }.map(\.finding)
  }
}
