import Scenario
import SimulationSupport
import TestSupport
import Testing

/// Tests that start processes.
@Suite(.ownThreads) struct RealProcesses {}

/// Steps that succeed, one per line, and the fact that they show.
struct Steps: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let lines: [String]

  init(_ fact: String, _ lines: String...) {
    testDescription = fact
    self.lines = lines
  }

  /// The lines as in a scenario.
  var text: String { lines.map { "  - \($0)\n" }.joined() }
}

/// Expects that a case passes.
func expectPass(_ result: StageResult, _ location: SourceLocation = #_sourceLocation) {
  #expect(
    result.report.isPassed && result.result.outcome == .passed,
    "\(result.report.text())", sourceLocation: location)
}

extension Stage {
  /// Runs steps, one per line, on a device with the managed app `mail`, the unmanaged apps `viewer`
  /// and `other`, and an app whose program does not exist.
  static func play(_ steps: String...) throws -> StageResult { try play(steps) }

  /// Runs steps, one per line, on the same device.
  static func play(_ steps: [String]) throws -> StageResult {
    try Stage().play(text: device + steps.map { "  - \($0)\n" }.joined())
  }

  private static let device = """
    name: Stage
    accounts:
      anna: { upn: anna@contoso.com, tenant: contoso.com }
      private: { upn: anna@example.org }
    policies:
      base:
        json:
          displayName: Base
          allowedOutboundDataTransferDestinations: managedApps
        assign: [{ account: anna, apps: [com.contoso.mail] }]
    apps:
      mail:
        bundle: com.contoso.mail
        sdk: true
        multiIdentity: true
        signedIn: [anna, private]
        keychainGroups: [TEAMMAIL.com.contoso.mail]
      viewer: { bundle: org.example.viewer, provides: Holiday photo }
      other: { bundle: org.example.other }
      ghost: { bundle: org.example.ghost, executable: ./nothing }
      text: { bundle: org.example.text, executable: ./scenario.yaml }
      quitter: { bundle: org.example.quitter, executable: /bin/false }
    steps:

    """
}
