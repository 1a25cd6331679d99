import Diagnostics
import JSON
import Model
import Policy

/// A policy under inspection, as it was read and as it stands in the file.
struct LintSubject {
  let document: PolicyDocument
  let object: JSONValue

  var settings: Settings { document.settings }

  /// The property of that name; nil where it is absent or null.
  func member(_ name: String) -> JSONValue.Member? {
    object.members?.last { $0.name == name && !$0.value.isNull }
  }

  /// The position of the setting, or of the policy where the setting is not stated.
  func position(of setting: Setting) -> Position {
    member(setting.rawValue)?.position ?? document.position
  }

  /// The schemes that `exemptedAppProtocols` lists, each with the position of its list.
  var exemptedSchemes: [(scheme: String, position: Position)] {
    let pairs = member(Setting.exemptedAppProtocols.rawValue)?.value.array ?? []
    return pairs.compactMap { $0["value"] }.flatMap { value in
      (value.string ?? "").split(separator: ";").map { part in
        let text = part.filter { !$0.isWhitespace }.lowercased()
        return (text.hasSuffix(":") ? String(text.dropLast()) : text, value.position)
      }
    }
  }

  func isStated(_ setting: Setting) -> Bool { document.origins[setting] != nil }

  func finding(_ rule: LintRule, at position: Position, _ message: String) -> LintFinding {
    LintFinding(rule, file: document.file, at: position, message)
  }

  func finding(_ rule: LintRule, at setting: Setting, _ message: String) -> LintFinding {
    finding(rule, at: position(of: setting), message)
  }
}
