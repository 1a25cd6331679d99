internal import Diagnostics
internal import GraphDocuments
internal import JSON
public import Model
public import Policy

extension Decider {
  /// The request of one line, and the verdict on the request, as values to print for people.
  ///
  /// - Parameter number: the number of the line, for messages.
  /// - Throws: ``RunError`` with line and column of the mistake; also if an account is named in an app that no policy
  ///   targets, or in an app whose name resembles a targeted one.
  public mutating func explain(
    _ line: String, number: Int
  ) throws(RunError) -> (request: TransferRequest, verdict: ExplainedVerdict) {
    let request: TransferRequest
    do throws(JSONSyntaxError) {
      let fields = try DecisionFields(JSONReader.read(line), keys: DecisionKey.self)
      request = try self.request(fields)
    } catch {
      let place = Position(line: number, column: error.position.column)
      throw RunError(.file("-", place), error.message, rule: "request")
    }
    if let message = mistakenApp() {
      throw RunError(.file("-", Position(line: number, column: 1)), message, rule: Self.appRule)
    }
    return (request, Explainer.explain(request, evaluate(request)))
  }

  /// The rule of ``mistakenApp()``.
  public static let appRule = "app"

  /// The notice that the answer to the last request begins with: the policies that applied are assigned on conditions that
  /// were not read; nil where they are not.
  public var notice: String? { appliedDocuments.membershipNotice(.everybody) }

  /// The warnings about the last request: an app that was probably misspelt, and assignments that were not read.
  public var warnings: [String] {
    let app = mistakenApp(onlyNear: true).map {
      Diagnostic(.command, $0, rule: Self.appRule, severity: .warning).description
    }
    let notice = notice.map {
      Diagnostic(.command, $0, rule: "assignments", severity: .note).description
    }
    return [app, notice].compactMap(\.self)
  }

  /// The message about an app of the last request that no policy targets although an account is named in it; nil if
  /// there is none, or if another party is under a policy and the app's name does not resemble a targeted one.
  ///
  /// - Parameter onlyNear: Whether an app counts only if its name resembles a targeted one.
  public func mistakenApp(onlyNear: Bool = false) -> String? {
    let targeted = allDocuments.map(\.targeting)
    for (bundleID, state) in untargeted {
      let meant = Targeting.app(nearestTo: bundleID, among: targeted)
      guard meant != nil || !onlyNear && appliedDocuments.isEmpty, !allDocuments.isEmpty else {
        continue
      }
      let why = allDocuments.map { document in
        let result = document.targets(bundleID: bundleID, state: state)
        return
          "`\(document.displayName)` is \(result == .otherApp ? document.targeting.text : result.text)"
      }
      return "no given policy targets `\(bundleID)`" + Suggestion.text(meant)
        + (meant == nil ? "; " : " ")
        + Phrase.first(5, of: why)
    }
    return nil
  }
}
