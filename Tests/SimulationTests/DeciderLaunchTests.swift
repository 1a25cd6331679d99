import JSON
import Simulation
import Testing

/// Whether an account may be opened, asked as a request.
@Suite struct DeciderLaunchTests {
  private static let policy = """
    {
      "displayName": "Strict",
      "pinRequired": true, "minimumPinLength": 6, "maximumPinRetries": 3,
      "periodOnlineBeforeAccessCheck": "PT30M", "periodBeforePinReset": "P30D",
      "deviceComplianceRequired": true, "appActionIfDeviceComplianceRequired": "wipe",
      "minimumWarningOsVersion": "26.1", "minimumRequiredOsVersion": "18.0",
      "minimumRequiredAppVersion": "3.0", "minimumRequiredSdkVersion": "19.7.6",
      "maximumAllowedDeviceThreatLevel": "low",
      "appActionIfUnableToAuthenticateUser": "block", "appActionIfAccountIsClockedOut": "block",
      "periodOfflineBeforeAccessCheck": "PT12H", "periodOfflineBeforeWipeIsEnforced": "P90D",
      "allowedIosDeviceModels": "iPhone17,1;iPhone17,2",
      "apps": [{ "mobileAppIdentifier": { "bundleId": "com.contoso.mail" } }]
    }
    """

  /// What decides where `launch` and `device` say so beside an app that is otherwise welcome.
  private static func answer(_ launch: String, device: String = "") throws -> String {
    var decider = Decider(try PolicyFiles.read(Array(policy.utf8), file: "strict.json"))
    let line = """
      {"launch":{"app":"com.contoso.mail","account":"anna@contoso.com","appVersion":"3.1"\
      \(launch.isEmpty ? "" : ",")\(launch)},"device":{"threatLevel":"low"\
      \(device.isEmpty ? "" : ",")\(device)}}
      """
    let bytes = try decider.answer(line, number: 1)
    let verdict = try JSONReader.read(String(decoding: bytes, as: UTF8.self))["verdict"]
    return "\(verdict?["outcome"]?.string ?? "") \(verdict?["decidedBy"]?.string ?? "")"
  }

  private static let pin = #""currentPIN":"258025","idleFor":"PT31M""#

  @Test(
    arguments: [
      ("", "", "blocked pinNotSet"),
      (pin, "", "blocked pinAsked"),
      (pin + #","offers":{"pin":"258025"}"#, "", "allowed minimumOSVersionWarns"),
      (pin + #","offers":{"pin":"111111"}"#, "", "blocked pinWrong"),
      (
        pin + #","failedAttempts":2,"offers":{"pin":"111111"}"#, "",
        "blocked pinRetriesExceededResets"
      ),
      (pin + #","pinAge":"P30D""#, "", "blocked pinExpired"),
      (#""currentPIN":"2580","idleFor":"PT1M""#, "", "blocked pinOutdated"),
      (
        pin + #","offers":{"biometrics":true}"#, #""biometrics":"faceID""#,
        "allowed minimumOSVersionWarns"
      ),
      (pin + #","offers":{"biometrics":true}"#, "", "blocked biometricsUnavailable"),
      ("", #""jailbroken":true"#, "blocked jailbrokenWipes"),
      ("", #""osVersion":"17.6""#, "blocked minimumOSVersionBlocks"),
      ("", #""model":"iPhone9,1""#, "blocked deviceModelBlocks"),
      (#""disabled":true"#, "", "blocked accountDisabledBlocks"),
      (#""clockedOut":true"#, "", "blocked clockedOutBlocks"),
      (#""offlineFor":"PT12H""#, "", "blocked offlineGraceBlocks"),
      (#""offlineFor":"P90D""#, "", "blocked offlineGraceWipes"),
      (#""sdkVersion":"19.7.5""#, "", "blocked minimumSDKVersionBlocks"),
      (#""managed":false"#, "", "allowed noRuleApplied"),
    ])
  func `a launch has one verdict`(launch: String, device: String, expected: String) throws {
    #expect(try Self.answer(launch, device: device) == expected)
  }

  @Test(
    arguments: [
      (#"{"launch":{"app":"a","idle":"PT1M"}}"#, "unknown member `idle`"),
      (#"{"launch":{"app":"a","offlineFor":"12h"}}"#, "`12h` is no duration"),
      (#"{"launch":{"app":"a","offlineFor":"P4000D"}}"#, "`P4000D` is no duration"),
      (#"{"launch":{"app":"a","appVersion":"new"}}"#, "`new` is no version"),
      (#"{"launch":{"app":"a","failedAttempts":-1}}"#, "`failedAttempts` must be 0 or more"),
      (#"{"launch":{"account":"a@b.c"}}"#, "the member `app` is missing"),
      (#"{"launch":{"app":"a"},"device":{"threatLevel":"huge"}}"#, "`huge` is not a value"),
      (#"{"launch":[]}"#, "expected an object"),
      (#"{"launch":{"app":"a"},"channel":"print"}"#, "`channel` means nothing beside `launch`"),
    ])
  func `a launch that makes no sense is refused with its place`(line: String, why: String) throws {
    let complaint = try #require(try Decisions.complaint(line))
    #expect(complaint.hasPrefix("-:1:") && complaint.contains(why), "\(complaint)")
  }
}
