import Analysis
import Encodings
import Model
import Policy
import Testing

@Suite struct DeviceLogTests {
  private static func value(_ name: String, _ edit: (inout Settings) -> Void) throws -> JSONValue? {
    var settings = Settings()
    edit(&settings)
    return try JSONReader.read(DeviceLog.text(of: settings))["IntuneMAMPolicies"]?[name]
  }

  @Test(arguments: [
    (Settings.Destinations.none, 0), (.managedApps, 1), (.allApps, 2),
  ])
  func `the device log states the Send setting as a number`(
    destinations: Settings.Destinations, level: Int
  ) throws {
    let value = try Self.value("AppSharingToLevel") {
      $0.allowedOutboundDataTransferDestinations = destinations
    }
    #expect(value?.int == level)
  }

  @Test(arguments: [
    (Settings.ClipboardLevel.blocked, 0), (.managedApps, 1), (.managedAppsWithPasteIn, 2),
    (.allApps, 3),
  ])
  func `the device log states the clipboard level as a number`(
    level: Settings.ClipboardLevel, number: Int
  ) throws {
    let value = try Self.value("ClipboardSharingLevel") {
      $0.allowedOutboundClipboardSharingLevel = level
    }
    #expect(value?.int == number)
  }

  @Test(arguments: [
    (Settings.ThreatLevel.notConfigured, "0"), (.secured, "1"), (.low, "2"), (.medium, "3"),
    (.high, "4"),
  ])
  func `the device log states the threat level as a quoted number`(
    level: Settings.ThreatLevel, text: String
  ) throws {
    let value = try Self.value("MinimumRequiredDeviceThreatProtectionLevel") {
      $0.maximumAllowedDeviceThreatLevel = level
    }
    #expect(value?.string == text)
  }

  @Test func `the device log states storage and ingestion locations as bits`() throws {
    let storage = try Self.value("ManagedLocations") {
      $0.allowedDataStorageLocations = Set(Settings.StorageService.allCases)
    }
    #expect(storage?.int == 1 + 2 + 4 + 32 + 128)
    let ingestion = try Self.value("OpenDataFromManagedLocations") {
      $0.allowedDataIngestionLocations = Set(Settings.IngestionService.allCases)
    }
    #expect(ingestion?.int == 1 + 2 + 4 + 16)
  }

  @Test func `the device log states times in minutes and versions as text`() throws {
    #expect(
      try Self.value("AccessRecheckOfflineTimeout") { $0.periodOfflineBeforeAccessCheck = 43200 }?
        .int == 720)
    #expect(try Self.value("MinOsVersion") { _ in }?.string == "0.0")
    #expect(
      try Self.value("MinOsVersion") { $0.minimumRequiredOsVersion = Version(17, 5, 1) }?.string
        == "17.5.1")
  }

  @Test func `the device log omits a setting that the service does not deliver`() throws {
    #expect(try Self.value("ScreenCaptureConfigurationState") { _ in } == nil)
    #expect(
      try Self.value("ScreenCaptureConfigurationState") {
        $0.screenCaptureConfigurationState = .blocked
      }?.int == 1)
  }
}
