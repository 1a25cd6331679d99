import Analysis
import Model
import Policy
import PolicySupport
import Testing
import TestSupport

@Suite struct LogComparisonTests {
  private static func findings(
    _ log: String, _ edit: (inout Settings) -> Void = { _ in }
  ) throws -> [String: LogComparison.ComparedValue] {
    var settings = Settings()
    edit(&settings)
    let comparison = try #require(
      LogComparison(of: EffectivePolicy(settings: settings), with: Array(log.utf8)))
    #expect(comparison.blocks.count == 1)
    return Dictionary(
      uniqueKeysWithValues: comparison.blocks[0].findings.map { ($0.name, $0) })
  }

  @Test func `a random policy matches the device log that is generated from it`() throws {
    var random = SeededGenerator(seed: 20)
    for _ in 0..<500 {
      let settings = Settings.random(using: &random)
      let log = Array(DeviceLog.text(of: settings).utf8)
      let comparison = try #require(
        LogComparison(of: EffectivePolicy(settings: settings), with: log))
      let others = comparison.blocks.flatMap(\.findings).filter { $0.result != .equal }
      #expect(others.isEmpty, "\(others)")
    }
  }

  @Test(arguments: [
    "\"AppSharingToLevel\" : 1,", "AppSharingToLevel = 1;", "AppSharingToLevel: 1",
    "\"AppSharingToLevel\":1}", "AppSharingToLevel=\"1\"", "    appsharingtolevel => '1'",
    "2026-03-02 09:14:07.120 Mail[412:9] [policy] AppSharingToLevel = 1; PINEnabled = 0;",
    "{\\\"AppSharingToLevel\\\":\\\"1\\\"}", "AppSharingToLevel: 1\r\n",
  ])
  func `a setting matches each notation of its value in the device log`(log: String) throws {
    let findings = try Self.findings(log) {
      $0.allowedOutboundDataTransferDestinations = .managedApps
    }
    #expect(findings["AppSharingToLevel"]?.result == .equal)
    #expect(findings["AppSharingFromLevel"]?.result == .missingFromLog)
  }

  @Test(arguments: ["1", "true", "YES", "True", "\"1\""])
  func `a flag matches every spelling of true in the log`(value: String) throws {
    let findings = try Self.findings("PrintingBlocked = \(value);") { $0.printBlocked = true }
    #expect(findings["PrintingBlocked"]?.result == .equal)
  }

  @Test(arguments: [
    "ProtocolExclusions = \"itms;skype;\";", "ProtocolExclusions: Skype;itms",
    "\"ProtocolExclusions\" : \"skype; itms\",",
  ])
  func `lists in a device log are compared as sets`(log: String) throws {
    let findings = try Self.findings(log) { $0.exemptedAppProtocols = ["skype", "itms"] }
    #expect(findings["ProtocolExclusions"]?.result == .equal)
  }

  @Test func `links in a device log may have escaped slashes`() throws {
    let log = #""UniversalLinkExclusions" : "http:\/\/maps.apple.com|https:\/\/maps.apple.com|","#
    let findings = try Self.findings(log) {
      $0.exemptedUniversalLinks = ["https://maps.apple.com", "http://maps.apple.com"]
        .map { LinkPattern($0) }
    }
    #expect(findings["UniversalLinkExclusions"]?.result == .equal)
  }

  @Test(arguments: ["\"\"", "\"0.0\"", "0.0", ""])
  func `an unset version bound matches every notation of an absent bound in the log`(
    value: String
  ) throws {
    let findings = try Self.findings("MaxOsVersion = \(value);")
    #expect(findings["MaxOsVersion"]?.result == .equal)
  }

  @Test func `differences between a policy and a device log are described with their locations`()
    throws
  {
    let document = try Fixtures.document(
      "{\n\"appGroupType\": \"allApps\",\n\"allowedInboundDataTransferSources\": \"none\"}")
    let policy = EffectivePolicy(settings: document.settings, origins: document.origins)
    let log = Array("\n\nAppSharingFromLevel = 1".utf8)
    let comparison = try #require(LogComparison(of: policy, with: log))
    let finding = try #require(comparison.blocks[0].findings.first { $0.result == .differs })
    #expect(comparison.hasDifferences)
    #expect(finding.name == "AppSharingFromLevel")
    #expect(finding.setting == .allowedInboundDataTransferSources)
    #expect(finding.logged == "Policy managed apps")
    #expect(finding.expected == "None")
    #expect(finding.place?.description == "p.json:3")
    #expect(finding.line == 3)
  }

  @Test func `an invalid value in the device log counts as a difference`() throws {
    let findings = try Self.findings("AppSharingToLevel = maybe;\nDialerRestrictionLevel = 7;")
    #expect(findings["AppSharingToLevel"]?.result == .differs)
    #expect(findings["AppSharingToLevel"]?.logged == "unreadable `maybe`")
    #expect(findings["DialerRestrictionLevel"]?.logged == "unknown value 7")
  }

  @Test func `null in a device log counts as no value`() throws {
    let findings = try Self.findings("PINEnabled = \"<null>\"; AppSharingToLevel = 2;")
    #expect(findings["PINEnabled"]?.result == .missingFromLog)
  }

  @Test func `storage locations without a documented bit are left out of the log comparison`()
    throws
  {
    let findings = try Self.findings("ManagedLocations = 67;") {
      $0.allowedDataStorageLocations = [.oneDriveForBusiness, .sharePoint, .egnyte]
    }
    #expect(findings["ManagedLocations"]?.result == .equal)
  }

  @Test func `a setting found only in the device log is reported with its readable value`() throws {
    let findings = try Self.findings("GenmojiConfigurationState = 1;")
    #expect(findings["GenmojiConfigurationState"]?.result == .onlyInLog)
    #expect(findings["GenmojiConfigurationState"]?.logged == "Block")
  }

  @Test func `a setting with undocumented log values equals any value in the device log`() throws {
    for value in ["true", "false"] {
      let findings = try Self.findings("ProtectManagedOpenInData = \(value)") {
        $0.allowedOutboundDataTransferDestinations = .managedApps
        $0.disableProtectionOfManagedOutboundOpenInData = true
      }
      #expect(findings["ProtectManagedOpenInData"]?.result == .equal)
    }
  }

  @Test func `each policy in a device log is compared separately`() throws {
    let log = "PINEnabled = 0;\nPrintingBlocked = 0;\n\nPINEnabled = 1;\n"
    let comparison = try #require(
      LogComparison(of: EffectivePolicy(settings: Settings()), with: Array(log.utf8)))
    #expect(comparison.blocks.map(\.line) == [1, 4])
    #expect(comparison.hasDifferences)
    #expect(comparison.blocks[0].findings.allSatisfy { $0.result != .differs })
  }

  @Test(arguments: [
    ("{ \"AppSharingToLevel\" : 1, \"PINMinLength\" : 4 }", [false]),
    ("AppSharingToLevel = 1; PINMinLength = 4", [false]),
    ("{ \"AppSharingToLevel\" : 1,\n \"PINMinLength\" : 4,\n", [true]),
    ("{ \"AppSharingToLevel\" : 1,\n \"PINMinLength\" : 4", [true]),
    ("{ \"AppSharingToLevel\" : 1, \"MinOsVersion\" : \"17.", [true]),
    ("\"AppSharingToLevel\" : 1,\n \"PINMinLength\" : 4 }", [true]),
    ("AppSharingToLevel = 1; PINMinLength = 4; <…>", [true]),
    ("AppSharingToLevel = 1; [truncated]", [true]),
    ("{ AppSharingToLevel = 1; }\n{ AppSharingToLevel = 1;", [false, true]),
    ("{ \"a\": { \"AppSharingToLevel\": 1 }, \"b\": { \"PINEnabled\": 1 } }", [false]),
  ])
  func `a log that ends in the middle of a policy is reported as truncated`(
    log: String, truncated: [Bool]
  ) throws {
    let comparison = try #require(
      LogComparison(of: EffectivePolicy(settings: Settings()), with: Array(log.utf8)))
    #expect(comparison.blocks.map(\.isTruncated) == truncated)
    #expect(
      comparison.text(logFile: "l").contains("truncated: the log is cut")
        == truncated.contains(true))
  }

  @Test func `a setting whose value is truncated in the device log counts as missing`() throws {
    let comparison = try #require(
      LogComparison(
        of: EffectivePolicy(settings: Settings()),
        with: Array("{ \"AppSharingToLevel\" : 2, \"PINMinLength\" : 1".utf8)))
    let length = comparison.blocks[0].findings.first { $0.name == "PINMinLength" }
    #expect(length?.result == .missingFromLog)
  }

  @Test(arguments: ["", "no such thing", "AppSharingToLevel", "{\"displayName\": \"PINEnabled\"}"])
  func `a device log without any known setting name is rejected`(log: String) {
    #expect(
      LogComparison(of: EffectivePolicy(settings: Settings()), with: Array(log.utf8)) == nil)
  }

  @Test func `a corrupted device log never crashes the reader`() {
    var random = SeededGenerator(seed: 3)
    let policy = EffectivePolicy(settings: Settings())
    let valid = Array(DeviceLog.text(of: Settings()).utf8)
    for _ in 0..<300 {
      var bytes = valid
      for _ in 0..<20 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      _ = LogComparison(of: policy, with: bytes)
      _ = LogComparison(of: policy, with: Array(bytes.prefix(random.number(to: bytes.count))))
    }
  }
}
