import IntuneLint
import JSON
import Output
import SwiftSources

/// Lints texts in tests.
enum Linting {
  /// The findings in files that belong together.
  static func findings(_ texts: String..., sdk: String = "21.7.1") throws -> [CodeFinding] {
    let sources = try texts.enumerated().map { index, text in
      try ParsedSource(Array(text.utf8), file: "\(index).swift")
    }
    return CodeLint(version: SDKVersion(sdk)).findings(in: sources).findings
  }

  /// The rules and lines of the findings in a file: `rule:line`.
  static func codes(_ text: String, sdk: String = "21.7.1") throws -> [String] {
    try findings(text, sdk: sdk).map { "\($0.rule.code):\($0.position?.line ?? 0)" }
  }

  /// The rules and lines of the findings in the body of a function, whose first line is 1.
  static func codes(inFunction body: String) throws -> [String] {
    try codes("import IntuneMAMSwift; class Integration { func start() { \(body)\n} }")
  }

  /// The rules and lines of the findings in the body of an enrollment delegate, whose first line is 1.
  static func codes(inHandler body: String) throws -> [String] {
    try codes(
      "class D: NSObject, IntuneMAMPolicyDelegate { func addAccountId(_ id: String, "
        + "completionHandler done: @escaping (IntuneMAMAddIdentityResult) -> Void) { \(body)\n} }")
  }
}
