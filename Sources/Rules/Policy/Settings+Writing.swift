package import JSON
internal import Model

extension Settings {
  /// Writes the settings into the open object as Graph's properties, from which ``PolicyReader`` reads the same settings.
  /// Those that have their defaults are left out.
  package func writeMembers(to writer: inout JSONWriter) {
    for entry in SettingTable.entries where !entry.reading.agrees(self, Self.defaults) {
      writer.member(named: entry.setting.rawValue) { entry.reading.write(self, &$0) }
    }
  }

  private static let defaults = Settings()
}

extension JSONWriter {
  mutating func strings(_ values: [String]) {
    array { writer in
      for value in values { writer.string(value) }
    }
  }

  /// Model identifiers as Graph lists them, where an empty text stands for any. That policies have none in common, Graph
  /// cannot say: it is written as a model that there is not.
  mutating func models(_ models: Set<String>) {
    string(models.isEmpty ? "none" : models.sorted().joined(separator: ";"))
  }

  /// Schemes as Graph's pairs of a name and a value.
  mutating func schemes(_ schemes: [String]) {
    array { writer in
      for scheme in schemes {
        writer.object { writer in
          writer.member("name", scheme)
          writer.member("value", scheme)
        }
      }
    }
  }
}
