import GraphDocuments
import Policy
import TestSupport
import Testing

/// Tests every reason why a file cannot be used, with the exact message.
struct PolicyErrorTests {
  private static let expected =
    "error: expected a policy for iOS (`#microsoft.graph.iosManagedAppProtection`)"

  private static let useOfAccess =
    "; `sluice run` takes it under `conditionalAccess` of a scenario"
  private static let anything =
    "expected `\"@odata.type\": \"#microsoft.graph.iosManagedAppProtection\"`, a setting such as "
    + "`pinRequired`, or `appGroupType` [noPolicy]"

  /// Other objects in exports. Their context and their properties identify them.
  static let otherObjects: [(String, String)] = table(
    #"""
    {"id": "1", "displayName": "Sales", "groupTypes": [], "securityEnabled": true}
    => 1:37: \#(expected), found a group, according to `groupTypes` [otherPolicyType]
    {"@odata.context": "https://graph.microsoft.com/v1.0/$metadata#groups/$entity", "displayName": "x"}
    => 1:2: \#(expected), found a group, according to `@odata.context` [otherPolicyType]
    {"@odata.context": "https://graph.microsoft.com/beta/$metadata#identity/conditionalAccess/policies/$entity", "displayName": "Require MFA", "state": "enabled"}
    => 1:2: \#(expected), found a conditional access policy, according to `@odata.context`\#(useOfAccess)
       [otherPolicyType]
    {"displayName": "MFA", "state": "enabled", "grantControls": null}
    => 1:44: \#(expected), found a conditional access policy, according to `grantControls`\#(useOfAccess)
       [otherPolicyType]
    {"@odata.context": "https://graph.microsoft.com/beta/$metadata#identity/conditionalAccess/policies", "value": [{"displayName": "MFA"}]}
    => 1:2: \#(expected), found a conditional access policy, according to `@odata.context`\#(useOfAccess)
       [otherPolicyType]
    {"@odata.context": "https://graph.microsoft.com/beta/$metadata#deviceManagement/deviceShellScripts/$entity", "displayName": "x"}
    => 1:2: \#(expected), found an object of `deviceManagement/deviceShellScripts`, according to `@odata.context`
       [otherPolicyType]
    {"displayName": "Cfg", "apps": [], "customSettings": [{"name": "a", "value": "b"}]}
    => 1:36: \#(expected), found an app configuration, according to `customSettings`; a scenario takes it under
       `configurations`, and `sluice app-config show` shows it [otherPolicyType]
    {"displayName": "Compliance", "scheduledActionsForRule": []}
    => 1:31: \#(expected), found a compliance policy, according to `scheduledActionsForRule` [otherPolicyType]
    {"@odata.type": "#microsoft.graph.iosCompliancePolicy", "displayName": "x"}
    => 1:17: \#(expected), found a compliance policy (`#microsoft.graph.iosCompliancePolicy`) [otherPolicyType]
    {"apps": [{"mobileAppIdentifier": {"@odata.type": "#microsoft.graph.androidMobileAppIdentifier"}}]}
    => 1:2: \#(expected), found a policy for Android, according to `apps` [otherPolicyType]
    {"displayName": "x"}
    => 1:1: error: the object's type is ambiguous: many kinds of objects have `displayName`; \#(anything)
    {"displayName": "x", "Send org data to other apps": "Policy managed apps"}
    => 1:1: error: `Send org data to other apps` is not a property of an app protection policy; in Graph, `Send org
       data to other apps` of the admin centre is `"allowedOutboundDataTransferDestinations": "managedApps"`
       [noPolicy]
    [{"value": ["{\"@odata.type\":\"#microsoft.graph.androidGeneralDeviceConfiguration\"}", "a"]},
     {"value": ["{\"@odata.type\":\"#microsoft.graph.iosManagedAppProtection\"}", "b"]}]
    => 2:3: error: the object is not an app protection policy; one is in the text of `value` (line 2):
       save it as a separate file, without the enclosing quotes and the escaping backslashes [noPolicy]
    """#)

  /// The files in formats of other tools.
  static let otherLanguages: [(String, String)] = [
    (
      "<#\n.SYNOPSIS\n#>\n$policy = @\"\n{ \"displayName\": \"x\" }\n\"@\n",
      "a PowerShell script, not JSON; the text that begins on line 5 is JSON: save it as a separate file"
    ),
    ("param(\n  $Name\n)\n", "a PowerShell script, not JSON; export the policy"),
    (
      "Configuration Example\n{\n  IntuneAppProtectionPolicyiOS 'My policy'\n  {\n  }\n}\n",
      "a Microsoft365DSC configuration, not JSON; export the policy"
    ),
    (
      "resource \"ios_managed_app_protection\" \"x\" {\n  display_name = \"x\"\n}\n",
      "a Terraform configuration, not JSON; export the policy"
    ),
    ("displayName: x\npinRequired: true\n", "YAML, not JSON; export the policy"),
    ("<?xml version=\"1.0\"?>\n<plist></plist>\n", "a property list, not JSON; export the policy"),
    (
      "<!DOCTYPE plist>\n<plist><dict>\n<key>PayloadType</key></dict></plist>\n",
      "a configuration profile, not JSON; export the policy"
    ),
    ("<?xml version=\"1.0\"?>\n<a></a>\n", "XML, not JSON; export the policy"),
    ("bplist00\u{1}", "a binary property list, not JSON; export the policy"),
    ("Basics\nData protection\nApps\n", "text, not JSON; export the policy"),
  ]

  @Test(arguments: otherLanguages)
  func `a policy file that is not JSON is reported with its file type`(text: String, words: String)
  {
    let errors = #expect(throws: PolicyErrors.self) {
      try PolicyReader.read(Array(text.utf8), file: "p.json")
    }
    let error = errors?.errors.first
    #expect(errors?.errors.count == 1 && error?.code == .jsonSyntax)
    #expect(error?.message.hasPrefix("the file is \(words)") == true, "\(error as Any)")
  }

  static let rows: [(String, String)] =
    [
      (" \n", "2:1: error: expected a value, found the end of the file [jsonSyntax]")
    ]
    + table(
      #"""

      => 1:1: error: the file is empty [noPolicy]
      []
      => 1:1: error: the list contains no policy [noPolicy]
      {"value": []}
      => 1:1: error: the list contains no policy [noPolicy]
      {"value": {}}
      => 1:11: error: the object has no property of an app protection policy [noPolicy]
      {"value": 3}
      => 1:11: error: `value` must be an array or an object, found a number [wrongType]
      3
      => 1:1: error: expected a policy or a list of policies, found a number [noPolicy]
      {"policy": {"@odata.type": "#microsoft.graph.iosManagedAppProtection"}}
      => 1:2: error: the object is not an app protection policy; one is in `policy` (line 1): save that
         object as a separate file [noPolicy]
      {"displayName": "x",
       "data": [{"policy": {"pinRequired": true, "saveAsBlocked": true}}]}
      => 2:2: error: the object is not an app protection policy; one is in `data.policy` (line 2): save
         that object as a separate file [noPolicy]
      {"Displayname": "x", "RAWJson": "{\"pinRequired\": true, \"saveAsBlocked\": true}"}
      => 1:22: error: the object is not an app protection policy; one is in the text of `RAWJson` (line
         1): save it as a separate file, without the enclosing quotes and the escaping backslashes [noPolicy]
      {"Displayname": "x", "RAWJson": "{\"@odata.type\": \"#microsoft.graph.androidManagedAppProtection\"}"}
      => 1:22: error: expected a policy for iOS (`#microsoft.graph.iosManagedAppProtection`), found in the text of
         `RAWJson` a policy for Android (`#microsoft.graph.androidManagedAppProtection`) [otherPolicyType]
      [{"JSON": "{\"RAWJson\": \"{\\\"pinRequired\\\": true, \\\"saveAsBlocked\\\": true}\"}"}]
      => 1:3: error: the object is not an app protection policy; one is in the text of `JSON.RAWJson`
         (line 1): save it as a separate file, without the enclosing quotes and the escaping backslashes [noPolicy]
      "{\"pinRequired\": true, \"saveAsBlocked\": true}"
      => 1:1: error: expected a policy or a list of policies, found a string; one is in the text: save it as a separate
         file, without the enclosing quotes and the escaping backslashes [noPolicy]
      {"policy": {"@odata.type": "#microsoft.graph.androidManagedAppProtection", "pinRequired": true, "saveAsBlocked": true}}
      => 1:1: error: the object has no property of an app protection policy [noPolicy]
      {"drive": {"minimumPinLength": 6}}
      => 1:1: error: the object has no property of an app protection policy [noPolicy]
      ["a"]
      => 1:2: error: expected a policy, found a string [noPolicy]
      {}
      => 1:1: error: the object has no property of an app protection policy [noPolicy]
      {"foo": 1}
      => 1:1: error: the object has no property of an app protection policy [noPolicy]
      {"pinRequired": true,
       "pr
      => 2:5: error: the string does not end [jsonSyntax]
      {"pinRequired": true
      => 1:21: error: expected `,` or `}`, found the end of the file [jsonSyntax]
      {"@odata.type": "#microsoft.graph.androidManagedAppProtection"}
      => 1:17: \#(expected), found a policy for Android (`#microsoft.graph.androidManagedAppProtection`)
         [otherPolicyType]
      {"pinRequired": true, "@odata.type": "#microsoft.graph.windowsManagedAppProtection"}
      => 1:38: \#(expected), found a policy for Windows (`#microsoft.graph.windowsManagedAppProtection`)
         [otherPolicyType]
      {"@odata.type": "#microsoft.graph.mdmWindowsInformationProtectionPolicy"}
      => 1:17: \#(expected), found a policy for Windows (`#microsoft.graph.mdmWindowsInformationProtectionPolicy`)
         [otherPolicyType]
      {"@odata.type": "#microsoft.graph.defaultManagedAppProtection"}
      => 1:17: \#(expected), found a policy for users whom no other policy targets
         (`#microsoft.graph.defaultManagedAppProtection`); to try it on such users, change its type to
         `#microsoft.graph.iosManagedAppProtection` and assign it to them [otherPolicyType]
      {"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration"}
      => 1:17: \#(expected), found an app configuration (`#microsoft.graph.targetedManagedAppConfiguration`); a scenario
         takes it under `configurations`, and `sluice app-config show` shows it [otherPolicyType]
      {"@odata.type": "#microsoft.graph.conditionalAccessPolicy"}
      => 1:17: \#(expected), found a conditional access policy
         (`#microsoft.graph.conditionalAccessPolicy`)\#(useOfAccess) [otherPolicyType]
      {"@odata.type": "#microsoft.graph.iosManagedAppProtections"}
      => 1:17: \#(expected), found `#microsoft.graph.iosManagedAppProtections`; did you mean
         `#microsoft.graph.iosManagedAppProtection`? [otherPolicyType]
      {"displayName": "A", "screenCaptureBlocked": true}
      => 1:22: \#(expected), found a policy for Android, according to `screenCaptureBlocked` [otherPolicyType]
      {"@odata.type": 7}
      => 1:17: \#(expected), found a number [otherPolicyType]
      {"pinRequired": true,
      "pinRequired": true}
      => 2:1: error: `pinRequired` appears twice, first on line 1 [duplicateProperty]
      {"pinRequired": true, "x": [{"a": 1, "a": 2}]}
      => 1:38: error: `a` appears twice, first on line 1 [duplicateProperty]
      {"pinRequired": "yes"}
      => 1:17: error: `pinRequired` must be a boolean, found a string [wrongType]
      {"minimumPinLength": 1.5}
      => 1:22: error: `minimumPinLength` must be an integer, found a number [wrongType]
      {"managedBrowser": 1}
      => 1:20: error: `managedBrowser` must be a string, found a number [wrongType]
      {"apps": [1]}
      => 1:10: error: `apps` must be a list of objects, found an array [wrongType]
      {"apps": [{"mobileAppIdentifier": {"bundleId": 1}}]}
      => 1:48: error: `bundleId` must be a string, found a number [wrongType]
      {"exemptedAppProtocols": [{"value": 1}]}
      => 1:37: error: `value` must be a string, found a number [wrongType]
      {"managedUniversalLinks": "a"}
      => 1:27: error: `managedUniversalLinks` must be a list of strings, found a string [wrongType]
      {"allowedInboundDataTransferSources": "managedApp"}
      => 1:39: error: `managedApp` is not a value of `allowedInboundDataTransferSources`; expected `allApps`,
         `managedApps` or `none`; did you mean `managedApps`? [unknownValue]
      {"managedBrowser": "chrome"}
      => 1:20: error: `chrome` is not a value of `managedBrowser`; expected `notConfigured` or `microsoftEdge`
         [unknownValue]
      {"appGroupType": "AllApps"}
      => 1:18: error: `AllApps` is not a value of `appGroupType`; expected `selectedPublicApps`, `allCoreMicrosoftApps`,
         `allMicrosoftApps` or `allApps`; did you mean `allApps`? [unknownValue]
      {"targetedAppManagementLevels": "unmanaged,mmd"}
      => 1:33: error: `mmd` is not a value of `targetedAppManagementLevels`; expected `unspecified`, `unmanaged` or
         `mdm`; did you mean `mdm`? [unknownValue]
      {"allowedOutboundClipboardSharingExceptionLength": 65536}
      => 1:52: error: `allowedOutboundClipboardSharingExceptionLength` must be from 0 to 65535, found `65536`
         [outOfRange]
      {"periodOfflineBeforeAccessCheck": "12 hours"}
      => 1:36: error: `12 hours` in `periodOfflineBeforeAccessCheck` is not a duration such as `P90D` or `PT12H`
         [invalidDuration]
      """#)

  /// The rows for the values of single settings.
  static let settingRows: [(String, String)] = table(
    """
    {"allowedOutboundDataTransferDestinations": "Policy managed apps"}
    => 1:45: error: `Policy managed apps` is not a value of `allowedOutboundDataTransferDestinations`; expected
       `allApps`, `managedApps` or `none`; in Graph, `Policy managed apps` of the admin centre is
       `"allowedOutboundDataTransferDestinations": "managedApps"` [unknownValue]
    {"allowedDataStorageLocations": ["sharePoint", "sharepoint"]}
    => 1:48: error: `sharepoint` is not a value of `allowedDataStorageLocations`; expected `oneDriveForBusiness`,
       `sharePoint`, `box`, `localStorage`, `photoLibrary`, `iManage` or `egnyte`; did you mean `sharePoint`?
       [unknownValue]
    {"allowedDataIngestionLocations": ["localStorage"]}
    => 1:36: error: `localStorage` is not a value of `allowedDataIngestionLocations`; expected `oneDriveForBusiness`,
       `sharePoint`, `camera`, `photoLibrary`, `box`, `iManage` or `egnyte` [unknownValue]
    {"allowedDataStorageLocations": "box"}
    => 1:33: error: `allowedDataStorageLocations` must be a list of strings, found a string [wrongType]
    {"dialerRestrictionLevel": "customapp"}
    => 1:28: error: `customapp` is not a value of `dialerRestrictionLevel`; expected `allApps`, `customApp`,
       `managedApps` or `blocked`; did you mean `customApp`? [unknownValue]
    {"notificationRestriction": "blocked"}
    => 1:29: error: `blocked` is not a value of `notificationRestriction`; expected `allow`, `blockOrganizationalData`
       or `block`; did you mean `block`? [unknownValue]
    {"genmojiConfigurationState": "block"}
    => 1:31: error: `block` is not a value of `genmojiConfigurationState`; expected `notBlocked` or `blocked`; did you
       mean `blocked`? [unknownValue]
    {"appActionIfUnableToAuthenticateUser": "wype"}
    => 1:41: error: `wype` is not a value of `appActionIfUnableToAuthenticateUser`; expected `warn`, `block` or
       `wipe`; did you mean `wipe`? [unknownValue]
    {"maximumAllowedDeviceThreatLevel": 3}
    => 1:37: error: `maximumAllowedDeviceThreatLevel` must be a string, found a number [wrongType]
    {"minimumPinLength": -1}
    => 1:22: error: `minimumPinLength` must be from 0 to 65535, found `-1` [outOfRange]
    {"maximumPinRetries": 65536}
    => 1:23: error: `maximumPinRetries` must be from 0 to 65535, found `65536` [outOfRange]
    {"minimumRequiredOsVersion": "seventeen"}
    => 1:30: error: `seventeen` in `minimumRequiredOsVersion` is not a version such as `17.0` [invalidVersion]
    {"maximumWipeOsVersion": "17..1"}
    => 1:26: error: `17..1` in `maximumWipeOsVersion` is not a version such as `17.0` [invalidVersion]
    {"minimumWipeSdkVersion": 17.0}
    => 1:27: error: `minimumWipeSdkVersion` must be a string, found a number; write `"17.0"` [wrongType]
    {"periodBeforePinReset": "P1M"}
    => 1:26: error: `P1M` in `periodBeforePinReset` is not a duration such as `P90D` or `PT12H` [invalidDuration]
    {"periodOnlineBeforeAccessCheck": 30}
    => 1:35: error: `periodOnlineBeforeAccessCheck` must be a duration, found a number [wrongType]
    """)

  @Test(arguments: rows + otherObjects + settingRows)
  func `an invalid file is rejected with its position`(text: String, message: String) {
    let errors = #expect(throws: PolicyErrors.self) {
      try PolicyReader.read(Array(text.utf8), file: "dir/p.json")
    }
    #expect(errors?.description == "dir/p.json:" + message)
  }

  @Test func `a policy file truncated at any byte is rejected`() throws {
    let text = #"{"displayName": "A", "exemptedAppProtocols": [{"name": "D", "value": "a;b"}]}"#
    for length in 0..<text.utf8.count {
      #expect(throws: PolicyErrors.self) {
        try PolicyReader.read(Array(text.utf8.prefix(length)), file: "p")
      }
    }
  }

  @Test func `a policy file with invalid UTF-8 is rejected`() {
    let errors = #expect(throws: PolicyErrors.self) {
      try PolicyReader.read([0x7B, 0x22, 0xFF, 0xFE], file: "p")
    }
    #expect(errors?.errors.map(\.code) == [.jsonSyntax])
  }
}
