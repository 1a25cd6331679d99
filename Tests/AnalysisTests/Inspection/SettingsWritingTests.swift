import JSON
import Model
import Policy
import TestSupport
import Testing

/// Settings that are written as Graph's properties are read as the same settings.
@Suite struct SettingsWritingTests {
  private func written(_ settings: Settings) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("@odata.type", "#microsoft.graph.iosManagedAppProtection")
      settings.writeMembers(to: &writer)
    }
    return writer.text
  }

  /// Settings as a reader makes them: schemes in lower case, no version 0.0, which is none, and some model where there
  /// are models.
  private static func asRead(_ drawn: Settings) -> Settings {
    var settings = drawn
    if drawn.allowedIosDeviceModels == [] { settings.allowedIosDeviceModels = ["none"] }
    settings.customDialerAppProtocol = drawn.customDialerAppProtocol.lowercased()
    let versions: [WritableKeyPath<Settings, Version?>] = [
      \.minimumRequiredOsVersion, \.minimumWarningOsVersion, \.minimumWipeOsVersion,
      \.maximumRequiredOsVersion, \.maximumWarningOsVersion, \.maximumWipeOsVersion,
      \.minimumRequiredAppVersion, \.minimumWarningAppVersion, \.minimumWipeAppVersion,
      \.minimumRequiredSdkVersion, \.minimumWarningSdkVersion, \.minimumWipeSdkVersion,
    ]
    for version in versions where settings[keyPath: version] == Version(0) {
      settings[keyPath: version] = nil
    }
    return settings
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    var random = SeededGenerator(seed: 17)
    for _ in 0..<500 {
      let settings = Self.asRead(Settings.random(using: &random))
      let text = written(settings)
      let documents = try PolicyReader.read(Array(text.utf8), file: "p.json")
      #expect(documents.map(\.settings) == [settings], "\(text)")
    }
  }

  @Test func defaultsAreLeftOut() {
    var settings = Settings()
    #expect(written(settings) == ##"{"@odata.type":"#microsoft.graph.iosManagedAppProtection"}"##)
    settings.periodOfflineBeforeAccessCheck = 129_600
    settings.exemptedAppProtocols = ["skype"]
    #expect(written(settings).contains(#""periodOfflineBeforeAccessCheck":"P1DT12H""#))
    #expect(written(settings).contains(#"[{"name":"skype","value":"skype"}]"#))
  }
}
