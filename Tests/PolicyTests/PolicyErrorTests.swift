import Policy
import Testing

/// Every way in which a file cannot be used, with the exact message.
struct PolicyErrorTests {
  static let rows: [(String, String)] = [
    ("", "1:1: error: the file is empty [noPolicy]"),
    (" \n", "2:1: error: expected a value, found the end of the file [jsonSyntax]"),
    ("[]", "1:1: error: the list holds no policy [noPolicy]"),
    (#"{"value": []}"#, "1:1: error: the list holds no policy [noPolicy]"),
    (#"{"value": {}}"#, "1:11: error: `value` must be an array, found an object [wrongType]"),
    ("3", "1:1: error: expected a policy or a list of policies, found a number [noPolicy]"),
    (#"["a"]"#, "1:2: error: expected a policy, found a string [noPolicy]"),
    ("{}", "1:1: error: the object has no property of an app protection policy [noPolicy]"),
    (
      #"{"foo": 1}"#,
      "1:1: error: the object has no property of an app protection policy [noPolicy]"
    ),
    (
      "{\"pinRequired\": true,\n \"pr",
      "2:5: error: the string does not end [jsonSyntax]"
    ),
    (
      "{\"pinRequired\": true",
      "1:21: error: expected `,` or `}`, found the end of the file [jsonSyntax]"
    ),
    (
      ##"{"@odata.type": "#microsoft.graph.androidManagedAppProtection"}"##,
      "1:17: error: the policy's type must be `iosManagedAppProtection`, found "
        + "`#microsoft.graph.androidManagedAppProtection` [otherPolicyType]"
    ),
    (
      #"{"@odata.type": 7}"#,
      "1:17: error: the policy's type must be `iosManagedAppProtection`, found a number "
        + "[otherPolicyType]"
    ),
    (
      "{\"pinRequired\": true,\n\"pinRequired\": true}",
      "2:1: error: `pinRequired` is stated twice, first on line 1 [duplicateProperty]"
    ),
    (
      #"{"pinRequired": true, "x": [{"a": 1, "a": 2}]}"#,
      "1:38: error: `a` is stated twice, first on line 1 [duplicateProperty]"
    ),
    (
      #"{"pinRequired": "yes"}"#,
      "1:17: error: `pinRequired` must be a boolean, found a string [wrongType]"
    ),
    (
      #"{"minimumPinLength": 1.5}"#,
      "1:22: error: `minimumPinLength` must be an integer, found a number [wrongType]"
    ),
    (
      #"{"managedBrowser": 1}"#,
      "1:20: error: `managedBrowser` must be a string, found a number [wrongType]"
    ),
    (
      #"{"apps": [1]}"#,
      "1:10: error: `apps` must be a list of objects, found an array [wrongType]"
    ),
    (
      #"{"apps": [{"mobileAppIdentifier": {"bundleId": 1}}]}"#,
      "1:48: error: `bundleId` must be a string, found a number [wrongType]"
    ),
    (
      #"{"exemptedAppProtocols": [{"value": 1}]}"#,
      "1:37: error: `value` must be a string, found a number [wrongType]"
    ),
    (
      #"{"managedUniversalLinks": "a"}"#,
      "1:27: error: `managedUniversalLinks` must be a list of strings, found a string [wrongType]"
    ),
    (
      #"{"allowedInboundDataTransferSources": "managedApp"}"#,
      "1:39: error: `managedApp` is no value of `allowedInboundDataTransferSources`; expected "
        + "`allApps`, `managedApps` or `none`, did you mean `managedApps`? [unknownValue]"
    ),
    (
      #"{"managedBrowser": "chrome"}"#,
      "1:20: error: `chrome` is no value of `managedBrowser`; expected `notConfigured` or "
        + "`microsoftEdge` [unknownValue]"
    ),
    (
      #"{"appGroupType": "AllApps"}"#,
      "1:18: error: `AllApps` is no value of `appGroupType`; expected `selectedPublicApps`, "
        + "`allCoreMicrosoftApps`, `allMicrosoftApps` or `allApps`, did you mean `allApps`? "
        + "[unknownValue]"
    ),
    (
      #"{"targetedAppManagementLevels": "unmanaged,mmd"}"#,
      "1:33: error: `mmd` is no value of `targetedAppManagementLevels`; expected `unspecified`, "
        + "`unmanaged` or `mdm` [unknownValue]"
    ),
    (
      #"{"allowedOutboundClipboardSharingExceptionLength": 65536}"#,
      "1:52: error: `65536` in `allowedOutboundClipboardSharingExceptionLength` lies outside 0 to 65535 "
        + "[outOfRange]"
    ),
    (
      #"{"periodOfflineBeforeAccessCheck": "12 hours"}"#,
      "1:36: error: `12 hours` in `periodOfflineBeforeAccessCheck` is no duration such as `P90D` or "
        + "`PT12H` [invalidDuration]"
    ),
  ]

  @Test(arguments: rows)
  func `a broken file is refused with its place`(text: String, message: String) {
    let error = #expect(throws: PolicyError.self) {
      try PolicyReader.read(Array(text.utf8), file: "dir/p.json")
    }
    #expect(error?.description == "dir/p.json:" + message)
  }

  @Test func `every prefix of a policy is refused`() throws {
    let text = #"{"displayName": "A", "exemptedAppProtocols": [{"name": "D", "value": "a;b"}]}"#
    for length in 0..<text.utf8.count {
      #expect(throws: PolicyError.self) {
        try PolicyReader.read(Array(text.utf8.prefix(length)), file: "p")
      }
    }
  }

  @Test func `bytes that are no text are refused`() {
    let error = #expect(throws: PolicyError.self) {
      try PolicyReader.read([0x7B, 0x22, 0xFF, 0xFE], file: "p")
    }
    #expect(error?.code == .jsonSyntax)
  }
}
