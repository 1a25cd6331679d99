import Directory
import Encodings
import Enrollment
import GraphDocuments
import Model
import Testing

@Suite struct DeviceFilterTests {
  private static let unregistered = DirectoryDevice()
  private static let registered = DirectoryDevice(DirectoryEntry(isRegistered: true))
  private static let managed = DirectoryDevice(
    DirectoryEntry(attributes: [
      .displayName: ["Anna's iPhone"], .extensionAttribute1: ["SAW"],
      .physicalIds: ["[ZTDId]:value", "[OrderId]:7"],
    ]), isMDMEnrolled: true, osVersion: "26.0", model: "iPhone17,1")

  /// Returns a policy with the filter, as in a file.
  private func policy(
    _ rule: String, mode: String = "include"
  ) throws -> ConditionalAccessPolicy {
    let escaped = rule.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    let text = """
      {"state": "enabled", "grantControls": null, "conditions": {"users": {"includeUsers": ["All"]},
       "applications": {"includeApplications": ["All"]},
       "devices": {"deviceFilter": {"mode": "\(mode)", "rule": "\(escaped)"}}}}
      """
    return try #require(ConditionalAccessReader.read(Array(text.utf8), file: "ca.json").first)
  }

  private func rule(_ text: String) throws -> DirectoryRule {
    try #require(policy(text).deviceFilter?.rule)
  }

  private func isMet(_ text: String, _ device: DirectoryDevice) throws -> Bool? {
    try rule(text).result(for: device).isMet
  }

  @Test(arguments: [
    // These examples are from Microsoft Learn.
    (#"(device.displayName -contains "ABC")"#, false),
    (#"(device.isCompliant -eq "True")"#, true),
    (#"(device.manufacturer -startsWith "Microsoft")"#, false),
    (#"(device.mdmAppId -in ["00001111-aaaa-2222-bbbb-3333cccc4444"])"#, false),
    (#"(device.mdmAppId -in ["x", "0000000a-0000-0000-c000-000000000000"])"#, true),
    (#"(device.model -notContains "Surface")"#, true),
    (#"(device.operatingSystem -eq "Windows")"#, false),
    (#"(device.operatingSystemVersion -in ["10.0.18363", "10.0.19041", "26.0"])"#, true),
    (#"(device.physicalIds -contains "[ZTDId]:value")"#, true),
    (#"(device.devicePhysicalIDs -contains "[ZTDId]")"#, false),
    (#"(device.profileType -notIn ["Printer", "Shared", "IoT"])"#, true),
    (#"(device.trustType -notIn 'ServerAD, Workplace')"#, false),
    (#"(device.extensionAttribute1 -eq 'SAW')"#, true),
    (#"device.extensionAttribute1 -ne "SAW""#, false),
    // These filters vary casing and hyphens, and have values without quotation marks.
    ("DEVICE.ISCOMPLIANT eq true", true), ("device.isCompliant \u{2013}ne True", false),
    (#"device.model -StartsWith "iphone""#, true), (#"device.model -endsWith ",1""#, true),
    (#"device.displayName -eq "anna's IPHONE""#, true),
    (#"device.displayName -eq "anna`'s iphone""#, true),
    (#"device.model -notStartsWith "iPad""#, true), (#"device.model -notEndsWith "1""#, false),
    (#"device.systemLabels -notContains "MultiUser""#, true),
    // The value `null` matches an absent property.
    ("device.enrollmentProfileName -eq null", true), ("device.model -ne $null", true),
    ("device.model -eq null", false), (#"device.enrollmentProfileName -eq "x""#, false),
    (#"device.enrollmentProfileName -ne "x""#, true),
    // `-not` binds closest, then `-and`, then `-or`.
    (
      "device.isCompliant -eq False -and device.isCompliant -eq False -or device.isCompliant -eq True",
      true
    ),
    (
      "device.isCompliant -eq False -and (device.isCompliant -eq False -or device.isCompliant -eq True)",
      false
    ),
    (
      "device.isCompliant -eq True -or device.isCompliant -eq True -and device.isCompliant -eq False",
      true
    ),
    ("-not device.isCompliant -eq False -and device.isCompliant -eq True", true),
    ("-not (device.isCompliant -eq False -or device.isCompliant -eq True)", false),
    ("not not device.isCompliant eq true", true),
  ])
  func `a filter rule is evaluated for a managed device`(text: String, matches: Bool) throws {
    #expect(try isMet(text, Self.managed) == matches)
  }

  @Test(arguments: DirectoryAttribute.allCases)
  func `in filter rules, all attributes of an unregistered device are null`(
    attribute: DirectoryAttribute
  ) throws {
    for name in ["eq", "startsWith", "endsWith", "contains", "in"] {
      let negative = name == "eq" ? "ne" : "not" + name
      let value = name == "in" ? #"["x"]"# : #""x""#
      for (spelling, matches) in [(name, false), (negative, true)] {
        let policy = try policy("device.\(attribute.rawValue) -\(spelling) \(value)")
        guard let rule = policy.deviceFilter?.rule else {
          #expect(attribute.kind != .text)
          continue
        }
        #expect(rule.result(for: Self.unregistered).isMet == matches)
      }
    }
  }

  @Test(arguments: ["manufacturer", "model", "operatingSystem", "profileType", "trustType"])
  func `only a registered device has directory attributes`(attribute: String) throws {
    let rule = "device.\(attribute) -eq null"
    #expect(try isMet(rule, Self.registered) == false)
    #expect(try isMet(rule, Self.unregistered) == true)
    let removed = DirectoryDevice(DirectoryEntry(isRegistered: false), isMDMEnrolled: true)
    #expect(try isMet(rule, removed) == true)
  }

  @Test func `filter rules on extension attributes are false for a device that is only registered`()
    throws
  {
    for (text, matches) in [
      (#"device.extensionAttribute15 -eq "SAW""#, false),
      (#"device.extensionAttribute15 -ne "SAW""#, false),
    ] { #expect(try isMet(text, Self.registered) == matches) }
    #expect(try isMet(#"device.extensionAttribute15 -ne "SAW""#, Self.managed) == true)
    for device in [
      DirectoryDevice(DirectoryEntry(attributes: [.isCompliant: ["True"]])),
      DirectoryDevice(DirectoryEntry(attributes: [.trustType: ["ServerAD"]])),
      DirectoryDevice(DirectoryEntry(attributes: [.isCompliant: ["False"]]), isMDMEnrolled: true),
    ] { #expect(try isMet(#"device.extensionAttribute15 -ne "SAW""#, device) == true) }
  }

  @Test func `a filter rule on an unstated device attribute has an unknown result`() throws {
    let company = #"device.deviceOwnership -eq "Company""#
    #expect(try isMet(company, Self.managed) == nil)
    #expect(try isMet("-not \(company)", Self.managed) == nil)
    #expect(try isMet("\(company) -or device.isCompliant -eq True", Self.managed) == true)
    #expect(try isMet("\(company) -or device.isCompliant -eq False", Self.managed) == nil)
    #expect(try isMet("\(company) -and device.isCompliant -eq False", Self.managed) == false)
    #expect(try isMet("\(company) -and device.isCompliant -eq True", Self.managed) == nil)
    let told = DirectoryDevice(DirectoryEntry(attributes: [.deviceOwnership: ["Company"]]))
    #expect(try isMet(company, told) == true)
  }

  @Test(arguments: [
    ("", 1, "expected a property such as `device.isCompliant`, found the end of the rule"),
    (
      "device.isCompliantt -eq True", 1,
      "filters have no property `device.isCompliantt`; did you mean `device.isCompliant`?"
    ),
    (
      "user.mail -eq null", 1, "expected a property such as `device.isCompliant`, found `user.mail`"
    ),
    (
      "device.isCompliant -startsWith True", 20,
      "`-startsWith` cannot be used with `device.isCompliant`; expected `-eq`, `-ne`, `-in`, `-notIn`"
    ),
    ("device.model -match x", 14, "expected an operator such as `-eq`, found `-match`"),
    ("device.model -eq", 17, "expected a value such as `\"Company\"`, found the end of the rule"),
    (
      "device.model -eq [x]", 18,
      "expected one value (lists need `-in` or `-notIn`), found `[`"
    ),
    ("device.model -in [x y]", 21, "expected `,` or `]`, found `y`"),
    (
      "device.model -startsWith null", 26,
      "expected a value (`null` is allowed only with `-eq` and `-ne`), found `null`"
    ),
    ("(device.model -eq x", 20, "expected `)`, `-and` or `-or`, found the end of the rule"),
    ("device.model -eq x)", 19, "expected `-and`, `-or` or the end of the rule, found `)`"),
    ("device.model -eq 'x", 18, "the string is not terminated"),
    (
      "device.model -eq \u{201C}x\u{201D}", 18,
      "`\u{201C}x\u{201D}` has typographic quotation marks; use `\"`"
    ),
    // The escaped quotation marks before the error take two columns each in the file.
    (
      #"device.model -eq "x" -and device.modell -eq x"#, 29,
      "filters have no property `device.modell`; did you mean `device.model`?"
    ),
  ])
  func `an invalid device filter causes one warning with its position`(
    text: String, column: Int, message: String
  ) throws {
    let policy = try policy(text, mode: "exclude")
    let before = #" "devices": {"deviceFilter": {"mode": "exclude", "rule": ""#.count
    #expect(
      policy.warnings.map(\.description) == [
        "ca.json:3:\(before + column): warning: the policy applies to every device, because its filter "
          + "cannot be read: \(message) [invalidFilter]"
      ])
    #expect(
      policy.judgement(on: SignIn(Account(upn: "a@b.c", tenantID: "b.c"), device: Self.managed))
        == .applies(takenAsMet: ["deviceFilter"]))
  }

  @Test func `the length and the nesting of a device filter rule are limited`() throws {
    let messages = { (text: String) in try self.policy(text).warnings.map(\.message) }
    let deep = { (depth: Int) in
      String(repeating: "(", count: depth) + "device.model -eq x"
        + String(repeating: ")", count: depth)
    }
    #expect(try messages(deep(63)) == [])
    #expect(try messages(deep(64)).first?.contains("more than 64 levels of nesting") == true)
    #expect(
      try messages(String(repeating: "-not ", count: 200) + "device.model -eq x").first?
        .contains("more than 64 levels of nesting") == true)
    let long = { (length: Int) in "device.model -eq " + String(repeating: "x", count: length - 17) }
    #expect(try messages(long(3072)) == [])
    #expect(
      try messages(long(3073)) == [
        "the policy applies to every device, because its filter cannot be read: the rule has 3073 "
          + "characters, but the maximum in Microsoft Entra is 3072"
      ])
  }

  @Test func `a device filter includes or excludes the devices that match its rule`() throws {
    for (mode, isAdmitted) in [("include", true), ("exclude", false)] {
      let filter = try policy("device.isCompliant -eq True", mode: mode).deviceFilter
      #expect(filter?.admits(Self.managed) == isAdmitted)
      #expect(filter?.admits(Self.registered) == !isAdmitted)
    }
    #expect {
      try policy("device.isCompliant -eq True", mode: "both")
    } throws: {
      "\($0)".contains(
        "`both` is not a valid value; expected `include` or `exclude` [unknownValue]")
    }
  }
}
