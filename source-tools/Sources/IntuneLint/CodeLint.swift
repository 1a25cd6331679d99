internal import Encodings
public import Output
public import SwiftSources

/// Finds mistakes in code that integrates the Intune SDK, without compiling it.
public struct CodeLint: Sendable {
  private let table: APITable
  private let sdk: SDKChoice

  /// Creates a linter for a release of the SDK, or for an upgrade.
  ///
  /// - Parameter sdk: The release or upgrade; nil for the newest release.
  public init(_ table: APITable = .builtIn, sdk: SDKChoice? = nil) {
    self.table = table
    self.sdk = sdk ?? .pinned(table.newest)
  }

  /// Returns the findings in files that are compiled together, sorted by file and position. For an upgrade, the
  /// findings are the places that the upgrade breaks or affects.
  public func findings(in sources: [ParsedSource]) -> FindingReport<CodeRule> {
    let types = IntegratedTypes(sources)
    let integration = sources.filter(types.concerns)
    var findings: [CodeFinding] = []
    switch sdk {
    case .pinned:
      var unset = UnsetDelegateCheck()
      for context in integration.lazy.map({ context(of: $0, types) }) {
        unset.add(context)
        findings += check(context)
      }
      findings += unset.findings
    case .upgrade(let from, let to):
      var upgrade = UpgradeCheck(from: from, to: to)
      // The SDK also calls methods of app delegates, whose files might not name the SDK.
      for context in (integration.isEmpty ? [] : sources).lazy.map({ context(of: $0, types) }) {
        findings += upgrade.findings(context)
      }
    }
    return FindingReport(findings.sorted(by: Self.isBefore))
  }

  private func context(of source: ParsedSource, _ types: IntegratedTypes) -> SourceContext {
    SourceContext(source, types: types, table: table, sdk: sdk)
  }

  private static func isBefore(_ left: CodeFinding, _ right: CodeFinding) -> Bool {
    guard left.file == right.file else { return left.file < right.file }
    let first = left.position ?? Position(line: 0, column: 0)
    let second = right.position ?? Position(line: 0, column: 0)
    guard first == second else { return (first.line, first.column) < (second.line, second.column) }
    return (left.rule.code, left.message) < (right.rule.code, right.message)
  }

  private func check(_ context: SourceContext) -> [CodeFinding] {
    let checks: [(SourceContext) -> [CodeFinding]] = [
      DelegateMethodCheck.findings, MemberCheck.findings, DelegateOrderCheck.findings,
      LostDelegateCheck.findings, StatusCodeCheck.findings, ConstantAnswerCheck.findings,
      CompletionCheck.findings, CachedAnswerCheck.findings,
    ]
    return checks.flatMap { $0(context) }
  }
}
