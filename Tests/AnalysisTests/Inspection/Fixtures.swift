import Analysis
import Encodings
import Model
import Policy
import Testing

/// The policies that are inspected.
enum Fixtures {
  /// Returns a policy in the layout of an export, and its meaning.
  static func document(
    _ text: String, file: String = "p.json", _ edit: (inout Settings) -> Void = { _ in }
  ) throws -> PolicyDocument {
    var document = try #require(try PolicyReader.read(Array(text.utf8), file: file).first)
    edit(&document.settings)
    return document
  }

  /// Returns the findings about a policy with those properties, without findings about its
  /// targeting.
  static func lint(
    _ properties: String, _ edit: (inout Settings) -> Void = { _ in }
  ) throws -> [LintFinding] {
    let text = "{\"appGroupType\": \"allApps\",\n\(properties)}"
    let object = try JSONReader.read(text)
    return Linter.lint(try document(text, edit), stated: object)
  }

  /// An export that contains errors of every kind.
  static let text = """
    {
      "@odata.type": "#microsoft.graph.iosManagedAppProtection",
      "displayName": "Contoso iOS",
      "allowedOutboundDataTransferDestinations": "managedApps",
      "disableProtectionOfManagedOutboundOpenInData": true,
      "filterOpenInToOnlyManagedApps": false,
      "allowedInboundDataTransferSources": "allApps",
      "exemptedAppProtocols": [{"name": "Web", "value": "skype;https"}],
      "saveAsBlocked": true,
      "allowedDataStorageLocations": ["oneDriveForBusiness"],
      "blockDataIngestionIntoOrganizationDocuments": true,
      "allowedOutboundClipboardSharingLevel": "managedAppsWithPasteIn",
      "allowedOutboundClipboardSharingExceptionLength": 50,
      "managedBrowser": "microsoftEdge",
      "customBrowserProtocol": "firefox",
      "dialerRestrictionLevel": "customApp",
      "pinRequired": false,
      "simplePinBlocked": true,
      "periodOfflineBeforeAccessCheck": "PT12H",
      "periodOfflineBeforeWipeIsEnforced": "PT12H",
      "minimumRequiredOsVersion": "17.0",
      "minimumWarningOsVersion": "16.0",
      "maximumRequiredOsVersion": "16.7",
      "printBlockd": true,
      "appGroupType": "selectedPublicApps",
      "targetedAppManagementLevels": "unmanaged",
      "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail "}}],
      "assignments": []
    }
    """

  static func sample() throws -> PolicyDocument {
    try document(text, file: "policies/contoso.json", interpret)
  }

  /// Applies the meaning of ``text`` to settings.
  static func interpret(_ settings: inout Settings) {
    settings.saveAsBlocked = true
    settings.allowedDataStorageLocations = [.oneDriveForBusiness]
    settings.blockDataIngestionIntoOrganizationDocuments = true
    settings.dialerRestrictionLevel = .customApp
    settings.simplePinBlocked = true
    settings.periodOfflineBeforeAccessCheck = 43200
    settings.periodOfflineBeforeWipeIsEnforced = 43200
    settings.minimumRequiredOsVersion = Version(17)
    settings.minimumWarningOsVersion = Version(16)
    settings.maximumRequiredOsVersion = Version(16, 7)
  }
}
