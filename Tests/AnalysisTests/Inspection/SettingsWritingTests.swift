import Encodings
import Model
import Policy
import PolicySupport
import TestSupport
import Testing

/// Tests that settings written as Graph properties are read back unchanged.
@Suite struct SettingsWritingTests {
  private func written(_ settings: Settings) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("@odata.type", "#microsoft.graph.iosManagedAppProtection")
      settings.writeMembers(to: &writer)
    }
    return writer.text
  }

  /// Returns the settings as the reader normalises them: with schemes in lower case, without
  /// version 0.0, and with a model if models are restricted.
  private static func asRead(_ drawn: Settings) -> Settings {
    var settings = drawn
    for setting in Setting.allCases {
      switch setting.domain {
      case .scheme(let path): settings[keyPath: path] = drawn[keyPath: path].lowercased()
      case .version(let path) where drawn[keyPath: path] == Version(0):
        settings[keyPath: path] = nil
      case .models(let path) where drawn[keyPath: path] == []: settings[keyPath: path] = ["none"]
      case .flag, .choice, .count, .period, .version, .schemes, .links, .services, .models, nil:
        break
      }
    }
    return settings
  }

  @Test func `settings written as JSON are read back equal`() throws {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<500 {
      let settings = Self.asRead(Settings.random(using: &random))
      let text = written(settings)
      let documents = try PolicyReader.read(Array(text.utf8), file: "p.json")
      #expect(documents.map(\.settings) == [settings], "\(text)")
    }
  }

  @Test func `settings with default values are not written`() {
    var settings = Settings()
    #expect(written(settings) == ##"{"@odata.type":"#microsoft.graph.iosManagedAppProtection"}"##)
    settings.periodOfflineBeforeAccessCheck = 129_600
    settings.exemptedAppProtocols = ["skype"]
    #expect(written(settings).contains(#""periodOfflineBeforeAccessCheck":"P1DT12H""#))
    #expect(written(settings).contains(#"[{"name":"skype","value":"skype"}]"#))
  }
}
