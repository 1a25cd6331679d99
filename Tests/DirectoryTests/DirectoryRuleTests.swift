import Directory
import TestSupport
import Testing

@Suite struct DirectoryRuleTests {
  private struct Subject: RuleSubject {
    var values: [String: RuleValue]

    func value(of attribute: RuleAttribute) -> RuleValue { values[attribute.name] ?? .unknown }
  }

  private static let anna = Subject(values: [
    "accountEnabled": .strings(["true"]), "department": .strings(["Sales"]),
    "country": .strings(["US"]), "displayName": .strings(["David"]), "jobTitle": .null,
    "mail": .strings(["anna@contoso.com"]), "employeeHireDate": .strings(["2020-06-10T18:13:20Z"]),
    "proxyAddresses": .strings(["SMTP:anna@contoso.com", "smtp:a@fabrikam.com"]),
    "otherMails": .null, "objectId": .strings(["1"]), "manager": .strings(["M-1"]),
    "assignedPlans": .objects([
      ["service": "SCO", "capabilityStatus": "Enabled", "servicePlanId": "p"],
      ["service": "exchange", "capabilityStatus": "Deleted", "servicePlanId": "q"],
    ]),
    "memberOf": .objects([["objectId": "g1"]]),
  ])

  @Test(arguments: [
    (#"user.department -eq "Sales""#, true), (#"user.department -ne "sales""#, false),
    (#"user.department -in ["50001", "Sales"]"#, true),
    (#"user.department -notIn ["50001", "Sales"]"#, false),
    (#"(user.department -eq "Sales") -or (user.department -eq "Marketing")"#, true),
    (#"(user.department -eq "Sales") -and -not (user.jobTitle -startsWith "SDE")"#, true),
    (
      #"user.country -eq "DE" -and (user.department -eq "Marketing" -or user.department -eq "Sales")"#,
      false
    ),
    // Regular expressions search, ignoring case.
    (#"user.displayName -match "^Da.*""#, true), (#"user.displayName -match ".*VID""#, true),
    (#"user.displayName -match "^avid""#, false), (#"user.displayName -notMatch "\D""#, false),
    (#"user.mail -endsWith "@Contoso.com""#, true),
    (#"user.mail -notEndsWith "@Contoso.com""#, false),
    (#"user.mail -contains "contoso""#, true),
    // Two single quotation marks stand for one.
    ("user.department -eq 'Sa''les'", false), ("user.department -ne ''", true),
    (#"user.displayName -in ["O''Brien", 'David']"#, true),
    // The value `null` matches an absent property.
    ("user.jobTitle -eq null", true), ("user.jobTitle -ne $null", false),
    (#"user.jobTitle -ne "Boss""#, true), (#"user.jobTitle -eq "Boss""#, false),
    ("user.objectId -ne null", true), ("user.accountEnabled -eq true", true),
    // Rules can evaluate collections.
    (#"(user.proxyAddresses -any (_ -startsWith "smtp"))"#, true),
    (#"user.proxyAddresses -all (_ -contains "contoso")"#, false),
    (#"user.otherMails -any (_ -contains "x")"#, false),
    (#"user.proxyAddresses -startsWith "smtp:a@""#, true),
    (
      #"user.assignedPlans -any (assignedPlan.service -eq "SCO" -and assignedPlan.capabilityStatus -eq "Enabled")"#,
      true
    ),
    (
      #"user.assignedPlans -any (assignedPlan.service -eq "exchange" -and assignedPlan.capabilityStatus -eq "Enabled")"#,
      false
    ),
    ("user.assignedPlans -all (assignedPlan.servicePlanId -eq null)", false),
    ("user.memberOf -any (group.objectId -in ['g1', 'g2'])", true),
    ("user.memberOf -any (group.objectId -in ['g2'])", false),
    (#"Direct Reports for "m-1""#, true), (#"Direct Reports for "m-2""#, false),
    ("user.employeeHireDate -le 2020-06-10T18:13:20Z", true),
    ("user.employeehiredate -gt 2021-01-01T00:00:00Z", false),
  ])
  func `membership rules evaluate to the documented result for a user`(text: String, isMet: Bool)
    throws
  {
    let rule = try DirectoryRuleParser.parse(text, as: .users)
    #expect(rule.result(for: Self.anna).isMet == isMet)
  }

  @Test(
    arguments: [
      (#"user.city -eq "Rome""#, ["city"]),
      (#"user.city -eq "Rome" -and user.state -eq "x""#, ["city", "state"]),
      (#"user.city -eq "Rome" -or user.department -eq "HR""#, ["city"]),
      (#"-not (user.city -eq "Rome")"#, ["city"]),
      ("user.employeeHireDate -ge system.now -plus p1d", ["system.now"]),
      (
        "user.extension_c272a57b722d4eb29bfe327874ae79cb_Office -eq 1",
        ["extension_c272a57b722d4eb29bfe327874ae79cb_office"]
      ),
    ] as [(String, Set<String>)])
  func `the result of a membership rule is unknown if a deciding attribute is missing`(
    text: String, names: Set<String>
  ) throws {
    let rule = try DirectoryRuleParser.parse(text, as: .users)
    #expect(rule.result(for: Self.anna) == .unknown(names))
  }

  @Test(arguments: [
    (#"user.city -eq "Rome" -and user.department -eq "HR""#, false),
    (#"user.city -eq "Rome" -or user.department -eq "Sales""#, true),
  ])
  func `a missing attribute is ignored if other conditions of the membership rule decide`(
    text: String, isMet: Bool
  ) throws {
    let rule = try DirectoryRuleParser.parse(text, as: .users)
    #expect(rule.result(for: Self.anna).isMet == isMet)
  }

  @Test(arguments: [
    (#"(app.deviceManagementType -eq "Unmanaged")"#, true),
    (#"(app.osVersion -startsWith "17")"#, true),
    ("app.operatingSystemVersion -ge 17.2", true), ("app.operatingSystemVersion -gt 17.2.0", false),
    ("app.operatingSystemVersion -lt 17.10", true), (#"app.osVersion -eq "17.2.0""#, false),
    (#"app.deviceManufacturer -eq "apple""#, true), (#"app.deviceModel -in ["iPhone15,2"]"#, true),
    (#"app.appVersion -notContains "beta""#, true),
  ])
  func `filters for managed apps compare texts and versions`(text: String, isMet: Bool) throws {
    let device = FilteredDevice(
      isManaged: false, osVersion: "17.2", model: "iPhone15,2", appVersion: "4.0")
    #expect(
      try DirectoryRuleParser.parse(text, as: .managedApps).result(for: device).isMet == isMet)
  }

  @Test(arguments: [
    (
      "user.departmnt -eq x", 0,
      "membership rules of users have no property `user.departmnt`; did you mean `user.department`?"
    ),
    (
      "user.department -gt x", 16,
      "`-gt` cannot be used with `user.department`; expected `-eq`, `-ne`, `-startsWith`, `-notStartsWith`, `-endsWith`, `-notEndsWith`, `-contains`, `-notContains`, `-match`, `-notMatch`, `-in`, `-notIn`"
    ),
    (
      "user.department -any (_ -eq x)", 16,
      "`-any` cannot be used with `user.department`; expected `-eq`, `-ne`, `-startsWith`, `-notStartsWith`, `-endsWith`, `-notEndsWith`, `-contains`, `-notContains`, `-match`, `-notMatch`, `-in`, `-notIn`"
    ),
    ("user.proxyAddresses -any (x -eq y)", 26, "expected `_`, the element, found `x`"),
    (
      #"Direct Reports for "a" -and user.city -eq b"#, 23,
      "expected the end of the rule, because `Direct Reports` cannot be combined with other conditions, found `-and`"
    ),
    (
      #"user.displayName -match "(?<=a)b""#, 24,
      "the regular expression `(?<=a)b` cannot be read: look-behind is not supported"
    ),
  ])
  func `an unreadable membership rule is an error with its offset`(
    text: String, offset: Int, message: String
  ) {
    #expect { try DirectoryRuleParser.parse(text, as: .users) } throws: { error in
      guard let error = error as? RuleError else { return false }
      return error.offset == offset && (error.message == message || message.contains("regular"))
    }
  }

  // MARK: Contradictions

  @Test(arguments: [
    (#"app.osVersion -in ["17.0", "18.0"] and app.osVersion -notIn ["17.0", "18.0"]"#, false),
    (#"app.osVersion -in ["17.0", "18.0"] and app.osVersion -ne "17.0""#, true),
    (#"app.osVersion -eq "17.0" and app.osVersion -startsWith "16""#, false),
    (#"app.osVersion -startsWith "17" and app.osVersion -contains "17.2""#, true),
    (#"app.deviceModel -contains "iPhone" and app.deviceModel -notContains "Phone""#, false),
    (#"app.deviceModel -contains "iPhone" and app.deviceModel -notContains "iPhone 15""#, true),
    (#"app.deviceModel -startsWith "iPh" and app.deviceModel -startsWith "iPhone""#, true),
    (#"app.deviceModel -startsWith "iPad" and app.deviceModel -startsWith "iPhone""#, false),
    (#"app.deviceModel -startsWith "iPhone" and not (app.deviceModel -startsWith "iPh")"#, false),
    (#"app.deviceModel -startsWith "iPh" and not (app.deviceModel -startsWith "iPhone")"#, true),
    (#"app.deviceModel -startsWith "iPhone" and app.deviceModel -notContains "Pho""#, false),
    (#"app.deviceModel -contains "iPhone" and not (app.deviceModel -startsWith "iPhone")"#, true),
    ("app.operatingSystemVersion -ge 17.0 and app.operatingSystemVersion -le 17.0", true),
    ("app.operatingSystemVersion -gt 17.0 and app.operatingSystemVersion -le 17.0", false),
    ("app.operatingSystemVersion -eq 17.0 and app.operatingSystemVersion -lt 17.0", false),
    // A device without a version meets both.
    (
      "not (app.operatingSystemVersion -ge 16.0) and not (app.operatingSystemVersion -lt 17.0)",
      true
    ),
    ("app.osVersion -eq null and app.osVersion -ne null", false),
    ("app.osVersion -eq null and app.osVersion -ne \"17.0\"", true),
    // The known attributes of the device count.
    (#"app.deviceManufacturer -eq "Samsung" or app.osVersion -eq "17.0""#, true),
    (#"app.deviceManufacturer -eq "Samsung" and app.osVersion -eq "17.0""#, false),
  ])
  func `filter rules that no device can satisfy are recognised as contradictory`(
    text: String, canBeMet: Bool
  ) throws {
    let rule = try DirectoryRuleParser.parse(text, as: .managedApps)
    #expect(rule.canBeMet(by: FilteredDevice(isManaged: false)) == canBeMet)
  }

  @Test func `no device meets a random filter rule that is recognised as contradictory`() throws {
    var random = SeededGenerator(seed: 5)
    let texts = ["17", "17.2", "16", "iPhone", "Phone 16", ""]
    func comparison() -> String {
      let isVersion = Bool.random(using: &random)
      let operators =
        isVersion
        ? ["-eq", "-ne", "-gt", "-ge", "-lt", "-le"]
        : ["-eq", "-ne", "-startsWith", "-contains", "-notContains"]
      let value =
        isVersion
        ? ["16.0", "17.0", "17.2"].randomElement(using: &random) ?? ""
        : "\"\(texts.dropLast().randomElement(using: &random) ?? "")\""
      let name = isVersion ? "operatingSystemVersion" : "deviceModel"
      return "(app.\(name) \(operators.randomElement(using: &random) ?? "-eq") \(value))"
    }
    var contradictions = 0
    for _ in 0..<2_000 * thoroughness {
      let parts = (0..<Int.random(in: 2...4, using: &random)).map { _ in
        (Bool.random(using: &random) ? "" : "not ") + comparison()
      }
      let joint = Bool.random(using: &random) ? " and " : " or "
      let text = parts.joined(separator: joint)
      let rule = try DirectoryRuleParser.parse(text, as: .managedApps)
      guard !rule.canBeMet(by: Subject(values: [:])) else { continue }
      contradictions += 1
      for model in texts.map({ RuleValue.strings([$0]) }) + [.null] {
        for version in ["15.0", "16.0", "16.5", "17.0", "17.1", "17.2", "18.0", "x"] {
          let subject = Subject(values: [
            "deviceModel": model, "operatingSystemVersion": .strings([version]),
          ])
          #expect(rule.result(for: subject) == .isNotMet, "\(text) for \(model), \(version)")
        }
      }
    }
    #expect(contradictions > 20)
  }

  @Test func `a malformed version in a filter rule is an error`() {
    #expect {
      try DirectoryRuleParser.parse("app.operatingSystemVersion -ge new", as: .managedApps)
    } throws: { "\(($0 as? RuleError)?.message ?? "")".contains("`new` is not a version") }
  }
}
