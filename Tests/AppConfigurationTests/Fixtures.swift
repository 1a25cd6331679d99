import AppConfiguration
import Encodings
import Foundation
import GraphDocuments
import Model
import Testing

/// Configurations that several tests share.
enum Fixtures {
  static func documents(_ text: String) throws(AppConfigurationErrors) -> [AppConfigurationDocument]
  {
    try AppConfigurationReader(file: "c.json")
      .read(Array(text.utf8))
  }

  static func document(_ text: String) throws -> AppConfigurationDocument {
    try #require(try documents(text).first)
  }

  /// Returns the only error in the text; nil if there is none.
  static func error(_ text: String) -> AppConfigurationError? {
    do throws(AppConfigurationErrors) {
      _ = try documents(text)
      return nil
    } catch {
      #expect(error.errors.count == 1, "\(error)")
      return error.errors[0]
    }
  }

  /// Returns a configuration for managed apps with these settings.
  static func service(
    _ settings: [String: String], isDefault: Bool = false, bundleID: String = "com.contoso.mail"
  ) -> AppConfigurationDocument {
    AppConfigurationDocument(
      displayName: "service", file: "s.json", channel: .managedApps,
      entries: entries(settings.mapValues { .text($0) }), isDefault: isDefault,
      targeting: .init(bundleIDs: [bundleID]))
  }

  /// Returns a configuration for managed devices with these settings.
  static func device(
    _ settings: [String: ConfigurationValue], apps: [String] = ["com.contoso.mail"]
  ) -> AppConfigurationDocument {
    AppConfigurationDocument(
      displayName: "device", file: "d.json", channel: .managedDevices, entries: entries(settings),
      mobileApps: apps)
  }

  private static func entries(
    _ settings: [String: ConfigurationValue]
  ) -> [AppConfigurationDocument.Entry] {
    settings.sorted { $0.key < $1.key }.map {
      .init(key: $0.key, value: $0.value, position: .init(line: 1, column: 1))
    }
  }

  static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

  static let anna = Account(
    upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
    tenantID: "contoso.com")
  static let ben = Account(upn: "ben@contoso.com")
}
