package import Encodings
package import Model

/// A setting's value as Microsoft Graph writes it.
package enum GraphValue: Sendable, Hashable, CustomStringConvertible {
  case null
  case flag(Bool)
  case number(Int)
  case text(String)
  case texts([String])
  /// URL schemes, which Graph writes as objects with a name and a value.
  case schemes([String])

  /// The value as text: `managedApps`, `P90D`, or a list such as `box, sharePoint`. Null and empty values are `none`.
  package var description: String {
    switch self {
    case .null: "none"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number): "\(number)"
    case .text(let text): text.isEmpty ? "none" : text
    case .texts(let texts), .schemes(let texts):
      texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }
  }

  package func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .flag(let flag): writer.bool(flag)
    case .number(let number): writer.number(number)
    case .text(let text): writer.string(text)
    case .texts(let texts): writer.array { for text in texts { $0.string(text) } }
    case .schemes(let schemes):
      writer.array { writer in
        for scheme in schemes {
          writer.object { writer in
            writer.member("name", scheme)
            writer.member("value", scheme)
          }
        }
      }
    }
  }

  /// Returns the allowed device models as Graph writes them. Nil allows any model. Graph cannot express an empty list,
  /// so an empty list becomes a model that does not exist.
  static func models(_ models: Set<String>?) -> GraphValue {
    guard let models else { return .null }
    return .text(models.isEmpty ? "none" : models.sorted().joined(separator: ";"))
  }
}

extension Settings {
  /// Returns the value of `setting`; nil if it does not belong to policies.
  package func graphValue(of setting: Setting) -> GraphValue? {
    SettingTable.row(of: setting).reading?.value(self)
  }

  /// Returns whether the value of `setting` is Graph's documented default, regardless of whether a policy states it.
  /// True if the setting does not belong to policies.
  package func isDefault(_ setting: Setting) -> Bool {
    SettingTable.row(of: setting).reading?.agrees(self, Self.defaults) ?? true
  }

  /// Writes the settings whose values differ from Graph's defaults into the open JSON object. ``PolicyReader`` can read
  /// them back.
  package func writeMembers(to writer: inout JSONWriter) {
    for entry in SettingTable.entries where !entry.reading.agrees(self, Self.defaults) {
      writer.member(named: entry.setting.rawValue) { entry.reading.value(self).write(to: &$0) }
    }
  }

  private static let defaults = Settings()
}
