import Encodings
import IntuneLint
import Output
import SwiftSources

enum Linting {
  /// Returns the findings in files that are compiled together.
  static func findings(_ texts: String..., sdk: String = "21.7.1") throws -> [CodeFinding] {
    let sources = try texts.enumerated().map { index, text in
      try ParsedSource(Array(text.utf8), file: "\(index).swift")
    }
    return CodeLint(sdk: try SDKChoice(sdk)).findings(in: sources).findings
  }

  /// Returns each finding in a file as `rule:line`.
  static func codes(_ text: String, sdk: String = "21.7.1") throws -> [String] {
    try findings(text, sdk: sdk).map { "\($0.rule.code):\($0.position?.line ?? 0)" }
  }

  /// Returns each finding in a function body as `rule:line`. The first line of the body is 1.
  static func codes(inFunction body: String) throws -> [String] {
    try codes("import IntuneMAMSwift; class Integration { func start() { \(body)\n} }")
  }

  /// Returns each finding in the body of an enrollment delegate as `rule:line`. The first line of
  /// the body is 1.
  static func codes(inHandler body: String) throws -> [String] {
    try codes(
      "class D: NSObject, IntuneMAMPolicyDelegate { func addAccountId(_ id: String, "
        + "completionHandler done: @escaping (IntuneMAMAddIdentityResult) -> Void) { \(body)\n} }")
  }
}
