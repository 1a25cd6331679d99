import Encodings
import Model
import Policy
import Testing

/// Tests new values of settings, as `--set` states them.
@Suite struct SettingEditTests {
  /// Returns the properties that an edit changes in a policy with Graph's defaults, such as
  /// `printBlocked=true`.
  private static func changes(_ name: String, _ value: String) throws -> [String] {
    let edit = try SettingEdit(name, value)
    var settings = Settings()
    edit.apply(to: &settings)
    let changed = settings.differences(from: Settings())
    return edit.values.filter { changed.contains($0.setting) }
      .map { "\($0.setting.rawValue)=\($0.json.line)" }.sorted()
  }

  @Test(arguments: [
    ("Printing Org data", "Block", ["printBlocked=true"]),
    ("PRINTING  org-data", " block ", ["printBlocked=true"]),
    ("printBlocked", "true", ["printBlocked=true"]),
    ("Printing Org data", "Allow", []),
    ("PIN for access", "Require", ["pinRequired=true"]),
    ("Screen capture", "Block", [#"screenCaptureConfigurationState="blocked""#]),
    (
      "allowedOutboundDataTransferDestinations", "managedApps",
      [#"allowedOutboundDataTransferDestinations="managedApps""#]
    ),
    (
      "Restrict web content transfer with other apps", "Microsoft Edge",
      [#"managedBrowser="microsoftEdge""#]
    ),
    ("customBrowserProtocol", "contoso", [#"customBrowserProtocol="contoso""#]),
    (
      "Select apps to exempt", "skype;zoomus",
      [
        #"exemptedAppProtocols=[{"name":"skype","value":"skype"},{"name":"zoomus","value":"zoomus"}]"#
      ]
    ),
    ("allowedDataStorageLocations", "box", [#"allowedDataStorageLocations=["box"]"#]),
    ("minimumPinLength", "8", ["minimumPinLength=8"]),
    ("Min OS version (block access)", "17.2", [#"minimumRequiredOsVersion="17.2""#]),
    ("Min OS version (warn)", "17.2", [#"minimumWarningOsVersion="17.2""#]),
    (
      "Offline grace period (block access)", "90 days", [#"periodOfflineBeforeAccessCheck="P90D""#]
    ),
    ("periodOfflineBeforeAccessCheck", "PT30M", [#"periodOfflineBeforeAccessCheck="PT30M""#]),
  ])
  func `an edit accepts the label of the admin centre or Graph's name of a property`(
    name: String, value: String, expected: [String]
  ) throws {
    #expect(try Self.changes(name, value) == expected)
  }

  // MARK: Periods

  @Test(arguments: [
    (1, "1 second"), (90, "90 seconds"), (60, "1 minute"), (5_400, "90 minutes"),
    (3_600, "1 hour"), (43_200, "12 hours"), (86_400, "1 day"), (129_600, "36 hours"),
    (7_776_000, "90 days"),
  ])
  func `a period is printed in the largest unit that fits, such as 12 hours`(
    seconds: Int, words: String
  ) {
    #expect(PeriodText.words(ofSeconds: seconds) == words)
  }

  @Test(arguments: [
    ("periodOfflineBeforeAccessCheck", "100", "PT1H40M"),
    ("periodOfflineBeforeAccessCheck", "720 min", "PT12H"),
    ("periodOfflineBeforeAccessCheck", "12 hours", "PT12H"),
    ("periodOfflineBeforeAccessCheck", "12h", "PT12H"),
    ("periodOfflineBeforeAccessCheck", " 1  Hour ", "PT1H"),
    ("periodOfflineBeforeAccessCheck", "PT12H", "PT12H"),
    ("periodOfflineBeforeWipeIsEnforced", "90", "P90D"),
    ("periodOfflineBeforeWipeIsEnforced", "36 hours", "P1DT12H"),
    ("periodBeforePinReset", "30", "P30D"),
    ("periodOnlineBeforeAccessCheck", "30", "PT30M"),
    ("pinRequiredInsteadOfBiometricTimeout", "30 sec", "PT30S"),
  ])
  func `a period is read in the stated unit, or by default in the admin centre's unit`(
    name: String, value: String, duration: String
  ) throws {
    let json = try SettingEdit(name, value).values.map(\.json.string)
    #expect(
      json.compactMap { $0.flatMap { ISODuration.seconds($0) } } == [ISODuration.seconds(duration)])
  }

  @Test(arguments: [
    ("periodOfflineBeforeAccessCheck", "none"), ("periodOfflineBeforeAccessCheck", ""),
    ("periodBeforePinReset", "No"), ("pinRequiredInsteadOfBiometricTimeout", "Not required"),
    ("periodOnlineBeforeAccessCheck", "0 minutes"), ("periodOnlineBeforeAccessCheck", "0"),
  ])
  func `words such as none set a period to zero`(name: String, value: String) throws {
    let json = try SettingEdit(name, value).values.map(\.json.string)
    #expect(json.compactMap { $0.flatMap { ISODuration.seconds($0) } } == [0])
  }

  @Test(arguments: [
    "12 parsecs", "-5", "1.5 hours", "hours", "1000001", "99999999999999999999", "1 hour 5", "PT",
  ])
  func `an edit of a period rejects text that is not a period`(value: String) {
    #expect(throws: SettingEdit.Failure.self) {
      try SettingEdit("periodOfflineBeforeAccessCheck", value)
    }
  }

  // MARK: Labels of several properties

  @Test(arguments: [
    ("All apps", []),
    ("None", [#"allowedOutboundDataTransferDestinations="none""#]),
    ("Policy managed apps", [#"allowedOutboundDataTransferDestinations="managedApps""#]),
    (
      "Policy managed apps with Open-In/Share filtering",
      [
        #"allowedOutboundDataTransferDestinations="managedApps""#,
        "filterOpenInToOnlyManagedApps=true",
      ]
    ),
    (
      "Policy managed apps with OS sharing",
      [
        #"allowedOutboundDataTransferDestinations="managedApps""#,
        "disableProtectionOfManagedOutboundOpenInData=true",
      ]
    ),
  ])
  func `an edit of a label with several properties sets all of them`(
    value: String, expected: [String]
  ) throws {
    let label = "Send org data to other apps"
    #expect(try Self.changes(label, value) == expected)
    let edit = try SettingEdit(label, value)
    #expect(
      Set(edit.values.map(\.setting)) == [
        .allowedOutboundDataTransferDestinations, .disableProtectionOfManagedOutboundOpenInData,
        .filterOpenInToOnlyManagedApps,
      ])
    // The previous values have no effect.
    for before in ["None", "Policy managed apps with Open-In/Share filtering"] {
      var settings = Settings()
      try SettingEdit(label, before).apply(to: &settings)
      edit.apply(to: &settings)
      var alone = Settings()
      edit.apply(to: &alone)
      #expect(settings == alone)
    }
  }

  @Test func `an edit of one setting keeps the other settings`() throws {
    var settings = Settings()
    try SettingEdit("Printing Org data", "Block").apply(to: &settings)
    try SettingEdit("Third-party keyboards", "Block").apply(to: &settings)
    #expect(
      Set(settings.differences(from: Settings())) == [.printBlocked, .thirdPartyKeyboardsBlocked])
  }

  @Test(arguments: Setting.allCases.filter { $0.page != nil })
  func `an edit accepts Graph's name of each setting, ignoring case`(setting: Setting) throws {
    #expect(try SettingEdit.settings(named: setting.rawValue) == [setting])
    #expect(try SettingEdit.settings(named: setting.rawValue.uppercased()) == [setting])
  }

  // MARK: Mistakes

  @Test(arguments: [
    (
      "Printing Org dat", "Block",
      "no setting is called `Printing Org dat`; did you mean `Printing Org data`?"
    ),
    (
      "Restrict cut, copy, and paste", "Blocked",
      "no setting is called `Restrict cut, copy, and paste`; "
        + "did you mean `Restrict cut, copy, and paste between other apps`?"
    ),
    (
      "simple", "Block",
      "no setting is called `simple`; did you mean `Simple PIN`?"
    ),
    (
      "transfer", "None",
      "no setting is called `transfer`; "
        + "did you mean `Transfer telecommunication data to` or `Transfer messaging data to`?"
    ),
    ("Nonsense at all", "x", "no setting is called `Nonsense at all`"),
    ("", "x", "no setting is called ``"),
    (
      "printBlocked", "yes",
      "`yes` is not a value of `Printing Org data`; expected `Allow` or `Block`"
    ),
    (
      "allowedOutboundDataTransferDestinations", "everywhere",
      "`everywhere` is not a value of `Send org data to other apps`; "
        + "expected `All apps`, `Policy managed apps` or `None`"
    ),
    (
      "Min OS version", "17",
      "`Min OS version` is the label of several settings; expected `Min OS version (warn)`, "
        + "`Min OS version (block access)` or `Min OS version (wipe data)`"
    ),
    (
      "minimumPinLength", "many",
      "`many` is not a value of `Select minimum PIN length`: `minimumPinLength` must be an integer, "
        + "found a string"
    ),
    (
      "minimumPinLength", "1000000",
      "`1000000` is not a value of `Select minimum PIN length`: `minimumPinLength` must be from 0 to 65535, "
        + "found `1000000`"
    ),
    (
      "minimumRequiredOsVersion", "seventeen",
      "`seventeen` is not a value of `Min OS version`: `seventeen` in `minimumRequiredOsVersion` is not "
        + "a version such as `17.0`"
    ),
    (
      "periodOfflineBeforeAccessCheck", "soon",
      "`soon` is not a value of `Offline grace period`; expected a number of minutes, or a period such as "
        + "`12 hours`"
    ),
    (
      "periodOfflineBeforeWipeIsEnforced", "3 fortnights",
      "`3 fortnights` is not a value of `Offline grace period`; expected a number of days, or a period such "
        + "as `90 days`"
    ),
  ])
  func `the error for a wrong label or value names the nearest label or the expected values`(
    name: String, value: String, message: String
  ) {
    let failure = #expect(throws: SettingEdit.Failure.self) { try SettingEdit(name, value) }
    #expect(failure?.message == message)
  }
}
