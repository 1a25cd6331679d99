internal import Encodings
public import Output
public import SwiftSources

/// Finds mistakes in code that integrates the Intune SDK, without compiling it.
public struct CodeLint: Sendable {
  private let table: APITable
  private let version: SDKVersion

  /// Creates a linter for a version of the SDK.
  ///
  /// - Parameter version: The version; nil for the newest.
  public init(_ table: APITable = .builtIn, version: SDKVersion? = nil) {
    self.table = table
    self.version = version ?? table.newest
  }

  /// Returns the findings in files that are compiled together, sorted by file and position.
  public func findings(in sources: [ParsedSource]) -> FindingReport<CodeRule> {
    let types = IntegratedTypes(sources)
    var unset = UnsetDelegateCheck()
    let findings = sources.filter(types.concerns).flatMap { source in
      let context = SourceContext(source, types: types, table: table, version: version)
      unset.add(context)
      return check(context)
    }
    return FindingReport((findings + unset.findings).sorted(by: Self.isBefore))
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
