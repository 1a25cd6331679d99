import Encodings
import Glibc
import GraphDocuments
import Model
import Policy
import TestSupport
import Testing

struct PolicyReaderTests {
  static func read(_ text: String) throws(PolicyErrors) -> [PolicyDocument] {
    try PolicyReader.read(Array(text.utf8), file: "p.json")
  }

  static func document(_ text: String) throws -> PolicyDocument {
    try #require(try read(text).first)
  }

  @Test func `the policy reader returns each setting with its value, file and line`() throws {
    let document = try Self.document(
      """
      {
        "displayName": "Base",
        "allowedOutboundDataTransferDestinations": "managedApps",
        "allowedInboundDataTransferSources": null,
        "allowedOutboundClipboardSharingLevel": "managedAppsWithPasteIn",
        "allowedOutboundClipboardSharingExceptionLength": 65535,
        "managedBrowser": "microsoftEdge",
        "managedBrowserToOpenLinksRequired": true,
        "customBrowserProtocol": "",
        "exemptedAppProtocols": [{"name": "Default", "value": "Skype;;itms;"}, {"value": null}],
        "appGroupType": "allApps"
      }
      """)
    #expect(document.displayName == "Base")
    #expect(document.settings.allowedOutboundDataTransferDestinations == .managedApps)
    #expect(document.settings.allowedInboundDataTransferSources == .allApps)
    #expect(document.settings.allowedOutboundClipboardSharingLevel == .managedAppsWithPasteIn)
    #expect(document.settings.allowedOutboundClipboardSharingExceptionLength == 65535)
    #expect(document.settings.managedBrowser == .microsoftEdge)
    #expect(document.settings.managedBrowserToOpenLinksRequired)
    #expect(document.settings.exemptedAppProtocols == ["skype", "itms"])
    #expect(
      document.origins[.allowedOutboundDataTransferDestinations]
        == .init(file: "p.json", line: 3, policy: "Base"))
    #expect(document.origins[.allowedInboundDataTransferSources] == nil)
    #expect(document.origins[.filterOpenInToOnlyManagedApps] == nil)
    #expect(document.warnings.isEmpty)
  }

  @Test(
    arguments: [
      #"{"displayName": "A", "appGroupType": "allApps"}"#,
      #"[{"displayName": "A", "appGroupType": "allApps"}]"#,
      #"{"@odata.context": "x", "value": [{"displayName": "A", "appGroupType": "allApps"}]}"#,
      #"{"value": {"displayName": "A", "appGroupType": "allApps"}}"#,
      #"{"displayName": "A", "pinRequired": true}"#,
      #"{"displayName": "A", "apps": []}"#,
      #"{"@odata.context": "https://graph.microsoft.com/beta/$metadata#deviceAppManagement/"#
        + #"iosManagedAppProtections(apps())/$entity", "displayName": "A"}"#,
      #"{"@odata.context": "https://graph.microsoft.com/beta/$metadata#deviceAppManagement/"#
        + #"managedAppPolicies/microsoft.graph.iosManagedAppProtection", "value": [{"displayName": "A"}]}"#,
      #"{"@odata.context": "https://graph.microsoft.com/beta/$metadata#deviceAppManagement/"#
        + #"managedAppPolicies", "value": [{"displayName": "A", "printBlocked": true}]}"#,
    ])
  func `every JSON form of a policy export is read`(text: String) throws {
    #expect(try Self.read(text).map(\.displayName) == ["A"])
  }

  @Test func `a policy is read in every text encoding`() throws {
    let text = #"{"displayName": "Grüße 🔒", "appGroupType": "allApps"}"#
    let little = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    for bytes in [
      Array(text.utf8), [0xEF, 0xBB, 0xBF] + Array(text.utf8), [0xFF, 0xFE] + little,
      [0xFE, 0xFF] + big, little, big,
    ] {
      #expect(try PolicyReader.read(bytes, file: "p").first?.displayName == "Grüße 🔒")
    }
  }

  @Test func `a policy without a name is named after its file`() throws {
    #expect(try Self.document(#"{"appGroupType": "allApps"}"#).displayName == "p.json")
    let nested = try PolicyReader.read(
      Array(#"{"appGroupType": "allApps"}"#.utf8), file: "exports/AppProtection/p.json")
    #expect(nested.map(\.displayName) == ["p.json"])
    #expect(nested.map(\.file) == ["exports/AppProtection/p.json"])
  }

  @Test func `Graph's annotations and actions in a policy file are not unknown properties`() throws
  {
    let document = try Self.document(
      """
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "@odata.etag": 1,
       "apps@odata.context": "x", "#microsoft.graph.assign": {}, "appGroupType": "allApps",
       "createdDateTime": "2024-01-01T00:00:00Z", "deploymentSummary": null,
       "assignments": [{"id": "1"}]}
      """)
    #expect(document.unknownProperties.isEmpty)
    #expect(document.warnings.isEmpty)
  }

  @Test(
    arguments: [
      ("v1.0", "", [.exportedByV1]), ("beta", "", []),
      ("v1.0", #", "exemptedAppProtocols": []"#, []),
    ] as [(String, String, [PolicyWarningCode])])
  func `an incomplete export from Graph v1.0 causes one warning`(
    version: String, more: String, warnings: [PolicyWarningCode]
  ) throws {
    let text = """
      {"@odata.context": "https://graph.microsoft.com/\(version)/$metadata#deviceAppManagement",
       "value": [{"appGroupType": "allApps"}, {"appGroupType": "allApps"\(more)}]}
      """
    let documents = try PolicyReader.read(Array(text.utf8), file: "p.json")
    #expect(documents.flatMap(\.warnings).map(\.code) == warnings)
  }

  @Test func `unknown properties of a policy are kept and cause a warning`() throws {
    let document = try Self.document(
      #"{"appGroupType": "allApps", "somethingNew": {"a": 1}, "pinRequired": true}"#)
    #expect(document.unknownProperties.map(\.name) == ["somethingNew"])
    #expect(
      document.warnings.map(\.description) == [
        "p.json:1:29: warning: `somethingNew` is not a property of a policy and has no effect [unknownProperty]"
      ])
  }

  @Test func `exporters' keys and empty unknown properties are ignored`() throws {
    let document = try Self.document(
      """
      {"$description": "x", "$friendlyName": "x", "SVC": "INT", "ENV": "P", "_meta": {}, "supportsScopeTags": true,
       "appGroupType": "allApps", "somethingNew": false, "another": null, "third": [], "fourth": "",
       "assignments@odata.context": "x"}
      """)
    #expect(document.warnings.map(\.description) == [])
  }

  @Test(
    arguments: [
      (
        #""Send org data to other apps": "Policy managed apps with OS sharing""#,
        "`\"allowedOutboundDataTransferDestinations\": \"managedApps\"` and "
          + "`\"disableProtectionOfManagedOutboundOpenInData\": true`"
      ),
      (#""printing org data": "Block""#, "`\"printBlocked\": true`"),
      (#""Simple PIN": "Allow""#, "`\"simplePinBlocked\": false`"),
      (#""Encrypt Org data": true"#, "`appDataEncryptionType`"),
      (
        #""Jailbroken/rooted devices": "Wipe data""#,
        "`\"deviceComplianceRequired\": true` and `\"appActionIfDeviceComplianceRequired\": \"wipe\"`"
      ),
    ])
  func `the warning about an admin centre label names Graph's property and value`(
    property: String, graph: String
  ) throws {
    let document = try Self.document("{\"appGroupType\": \"allApps\", \(property)}")
    #expect(document.warnings.map(\.code) == [.unknownProperty])
    #expect(
      document.warnings.first?.message.hasSuffix(" of the admin centre is \(graph)") == true,
      "\(document.warnings)")
  }

  @Test func `the warning about an Android setting names its iOS counterpart`() throws {
    let document = try Self.document(
      ##"{"@odata.type": "#microsoft.graph.iosManagedAppProtection", "appGroupType": "allApps", "##
        + #""screenCaptureBlocked": true, "deviceLockRequired": false}"#)
    #expect(
      document.warnings.map(\.message) == [
        "`screenCaptureBlocked` is not a property of a policy and has no effect: it is a setting of Android; iOS has "
          + "`screenCaptureConfigurationState`"
      ])
  }

  @Test(
    arguments: [
      ("allLicensedUsersAssignmentTarget", "none", []),
      ("groupAssignmentTarget", "none", [.groups]),
      ("exclusionGroupAssignmentTarget", "none", [.exclusions]),
      ("allLicensedUsersAssignmentTarget", "include", [.filters]),
      ("groupAssignmentTarget", "exclude", [.groups, .filters]),
    ] as [(String, String, Set<Assignment.Condition>)])
  func `an assignment lists the conditions that only a directory can evaluate`(
    target: String, filter: String, conditions: Set<Assignment.Condition>
  ) throws {
    let document = try Self.document(
      """
      {"appGroupType": "allApps", "assignments": [{"target": {"@odata.type": "#microsoft.graph.\(target)",
       "groupId": "1", "deviceAndAppManagementAssignmentFilterType": "\(filter)"}}]}
      """)
    #expect(
      document.assignments?.reduce(into: []) { $0.formUnion($1.conditions) } == conditions)
    #expect(([document].membershipNotice(.everybody) == nil) == conditions.isEmpty)
  }

  @Test(
    arguments: table(
      """
      "printblocked": true
      => 1:29: warning: `printblocked` is not a property of a policy and has no effect; did you mean `printBlocked`?
         [unknownProperty]
      "saveAsBlocked ": true
      => 1:29: warning: `saveAsBlocked ` is not a property of a policy and has no effect; did you mean
         `saveAsBlocked`? [unknownProperty]
      "allowedOutboundDataTransferDestination": "none"
      => 1:29: warning: `allowedOutboundDataTransferDestination` is not a property of a policy and has no effect; did
         you mean `allowedOutboundDataTransferDestinations`? [unknownProperty]
      "exemptedAppProtocols": [{"value": "skype; itms"}]
      => 1:64: warning: white space around the scheme `itms` is ignored [whiteSpace]
      "exemptedAppProtocols": [{"value": "skype://"}]
      => 1:64: warning: `skype://` is not a URL scheme, so it matches no URL [notAScheme]
      "filterOpenInToOnlyManagedApps": true
      => 1:29: warning: `filterOpenInToOnlyManagedApps` has no effect unless `allowedOutboundDataTransferDestinations`
         is `managedApps` [conflictingSettings]
      "apps": [{"mobileAppIdentifier": {"packageId": "a.b"}}]
      => 1:38: warning: the app has no `mobileAppIdentifier.bundleId` [appWithoutBundleID]
      "apps": [{"mobileAppIdentifier": {"bundleId": "a.b "}}]
      => 1:75: warning: white space around the bundle id `a.b` is ignored [whiteSpace]
      "assignments": []
      => 1:29: note: the policy is not assigned: `assignments` is empty [emptyAssignments]
      "allowedDataStorageLocations": ["box", "unknownFutureValue"]
      => 1:68: warning: `unknownFutureValue` in `allowedDataStorageLocations` is a value that the export could not
         name, so it is ignored [unknownFutureValue]
      "genmojiConfigurationState": "unknownFutureValue"
      => 1:58: warning: `unknownFutureValue` in `genmojiConfigurationState` is a value that the export could not name,
         so it is ignored [unknownFutureValue]
      "managedUniversalLinks": ["https://a.b/*", " https://c.d"]
      => 1:72: warning: white space around the link `https://c.d` is ignored [whiteSpace]
      "exemptedUniversalLinks": ["*.contoso.com"]
      => 1:56: warning: `*.contoso.com` in `exemptedUniversalLinks` does not begin with `http://` or `https://`, so
         it matches no link [notALink]
      "minimumRequiredOsVersion": "17.0 "
      => 1:57: warning: white space around the version `17.0` is ignored [whiteSpace]
      "customDialerAppProtocol": "my dialer"
      => 1:56: warning: `my dialer` is not a URL scheme, so it matches no URL [notAScheme]
      """))
  func `probable mistakes in a policy file cause warnings`(property: String, warning: String) throws
  {
    let document = try Self.document("{\"appGroupType\": \"allApps\", \(property)}")
    #expect(document.warnings.map(\.description) == ["p.json:" + warning])
  }

  @Test func `flag combinations that the admin centre does not offer cause warnings`() throws {
    let document = try Self.document(
      """
      {"appGroupType": "allApps", "allowedOutboundDataTransferDestinations": "managedApps",
       "disableProtectionOfManagedOutboundOpenInData": true,
       "filterOpenInToOnlyManagedApps": true}
      """)
    #expect(
      document.warnings.map(\.description) == [
        "p.json:3:2: warning: `filterOpenInToOnlyManagedApps` and "
          + "`disableProtectionOfManagedOutboundOpenInData` are both true, a combination that the "
          + "admin centre does not offer; the filter applies [conflictingSettings]"
      ])
  }

  @Test func `an unassigned policy is a warning`() throws {
    #expect(
      try Self.document(#"{"displayName": "A", "apps": []}"#).warnings.map(\.description) == [
        "p.json:1:22: warning: the policy names no app and no group of apps; exports without "
          + "`$expand=apps` omit the apps [noApps]"
      ])
  }

  @Test func `policies from real exports keep their settings`() throws {
    guard RealFiles.areThere else { return }
    let file = "hydration-kit.json"
    let document = try #require(
      try PolicyReader.read(try RealFiles.bytes(of: file), file: file).first)
    let settings = document.settings
    #expect(settings.saveAsBlocked && settings.printBlocked && settings.pinRequired)
    #expect(settings.allowedDataStorageLocations == [.oneDriveForBusiness, .sharePoint])
    #expect(
      settings.allowedDataIngestionLocations == [
        .oneDriveForBusiness, .sharePoint, .camera, .photoLibrary,
      ])
    #expect(settings.dialerRestrictionLevel == .blocked)
    #expect(settings.exemptedUniversalLinks.count == 54)
    #expect(settings.managedUniversalLinks.isEmpty)
    #expect(settings.appDataEncryptionType == .whenDeviceLocked)
    #expect(settings.minimumPinLength == 6 && settings.maximumPinRetries == 5)
    #expect(settings.periodOfflineBeforeAccessCheck == 43200)
    #expect(settings.periodOfflineBeforeWipeIsEnforced == 7_776_000)
    #expect(settings.periodBeforePinReset == 0)
    #expect(settings.pinRequiredInsteadOfBiometricTimeout == 1800)
    #expect(settings.allowedIosDeviceModels == nil)
    #expect(settings.appActionIfUnableToAuthenticateUser == .block)
    #expect(settings.appActionIfAccountIsClockedOut == nil)
    #expect(settings.minimumRequiredOsVersion == nil)
  }

  static let realFiles = ["hydration-kit.json", "level-1-basic.json", "level-2-enhanced.json"]

  @Test(
    .enabled(if: RealFiles.areThere, "the folder of real policies is absent"), arguments: realFiles)
  func `policies from real exports are read without warnings`(name: String) throws {
    let document = try #require(
      try PolicyReader.read(try RealFiles.bytes(of: name), file: name).first)
    #expect(document.warnings.map(\.description) == [])
    #expect(document.unknownProperties.map(\.name) == [])
    #expect(document.settings.exemptedAppProtocols.count == 8)
    #expect(document.targeting.appGroup != .selectedPublicApps)
    let stated = Set((try RealFiles.members(of: name)).map(\.name))
    let held = Setting.allCases.filter { $0.holder == .policy && stated.contains($0.rawValue) }
    #expect(Set(document.origins.keys) == Set(held))
    #expect(held.count > 40)
  }
}

/// Policies of other authors. They are used in place if their folder exists.
enum RealFiles {
  /// The folders beside the package, or beside the folder with a copy of it.
  private static let folders: [String] = {
    let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    return ["\(package)/../shared/real/policies", "\(package)/../../shared/real/policies"]
  }()

  static let areThere = folders.contains { access($0, R_OK) == 0 }

  static func bytes(of name: String) throws -> [UInt8] {
    for folder in folders {
      guard let file = fopen("\(folder)/\(name)", "rb") else { continue }
      defer { fclose(file) }
      var bytes: [UInt8] = []
      var byte = getc(file)
      while byte != EOF {
        bytes.append(UInt8(byte))
        byte = getc(file)
      }
      return bytes
    }
    throw Absent()
  }

  /// Returns the members of the file's policy, without nulls.
  static func members(of name: String) throws -> [JSONValue.Member] {
    let members = try JSONReader.read(try bytes(of: name)).members ?? []
    return members.filter { !$0.value.isNull }
  }

  struct Absent: Error {}
}
