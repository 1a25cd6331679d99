import AppConfiguration
import Directory
import GraphDocuments
import Model
import Policy
import Tenants
import TestSupport
import Testing

/// Compares what a tenant delivers to an account on a device with the answers about users.
@Suite struct TenantDeliveryTests {
  private static let users = ["anna", "ben", "carl", "dora"].map { "\($0)@contoso.com" }
  private static let groups = ["Sales", "Field", "Bosses"]
  private static let apps = ["com.contoso.mail", "com.contoso.notes"]
  private static let filters = [
    "apple": #"app.deviceManufacturer -eq \"Apple\""#,
    "no": #"app.deviceManufacturer -ne \"Apple\""#,
    "open": #"app.osVersion -startsWith \"17\""#,
    "managed": #"app.deviceManagementType -eq \"Managed\""#,
  ]
  private static let devices = [
    TenantDevice(), TenantDevice(osVersion: "17.2"), TenantDevice(isManaged: true),
    TenantDevice(isManaged: true, osVersion: "16.7"),
  ]

  // MARK: Random tenants

  private static func isPicked(one count: Int, _ random: inout SeededGenerator) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private static func assignments(_ random: inout SeededGenerator) -> String {
    let targets = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      var target =
        switch Int.random(in: 0..<8, using: &random) {
        case 0: ##""@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget""##
        case 1: ##""@odata.type": "#microsoft.graph.allDevicesAssignmentTarget""##
        case 2: group("exclusionGroupAssignmentTarget", &random)
        default:  // open: a number, here 3 to 7
          group("groupAssignmentTarget", &random)
        }
      if isPicked(one: 3, &random) {
        let filter = filters.keys.sorted().randomElement(using: &random) ?? ""
        let mode = Bool.random(using: &random) ? "include" : "exclude"
        target += #", "deviceAndAppManagementAssignmentFilterId": "\#(filter)""#
        target += #", "deviceAndAppManagementAssignmentFilterType": "\#(mode)""#
      }
      return #"{"target": {\#(target)}}"#
    }
    return targets.joined(separator: ", ")
  }

  private static func group(_ type: String, _ random: inout SeededGenerator) -> String {
    let name = groups.randomElement(using: &random) ?? ""
    return ##""@odata.type": "#microsoft.graph.\##(type)", "groupId": "\##(name)-id""##
  }

  private static func targets(_ random: inout SeededGenerator) -> String {
    apps.filter { _ in !isPicked(one: 3, &random) }
      .map { #"{"mobileAppIdentifier": {"bundleId": "\#($0)"}}"# }.joined(separator: ", ")
  }

  /// Returns a tenant of four users and three groups. Some facts about them are unknown.
  private static func tenant(_ random: inout SeededGenerator) throws -> Tenant {
    var files: [String: String] = [:]
    let people = users.map { user in
      let licences = [#", "assignedLicenses": [{"skuId": "1"}]"#, #", "assignedLicenses": []"#, ""]
      let licence = licences.randomElement(using: &random) ?? ""
      return #"{"userPrincipalName": "\#(user)"\#(licence)}"#
    }
    files["users.json"] = "[\(people.joined(separator: ", "))]"
    for name in groups {
      let members = (users + groups.filter { $0 != name }).filter { _ in
        isPicked(one: 3, &random)
      }
      let list = members.map { "\"\($0)\"" }.joined(separator: ", ")
      let stated = isPicked(one: 6, &random) ? "" : #", "members": [\#(list)]"#
      files["Groups/\(name).json"] =
        ##"{"@odata.type": "#microsoft.graph.group", "id": "\##(name)-id", "displayName": "\##(name)"\##(stated)}"##
    }
    for (name, rule) in filters {
      files["Filters/\(name).json"] =
        ##"{"@odata.type": "#microsoft.graph.deviceAndAppManagementAssignmentFilter", "id": "\##(name)", "##
        + #""displayName": "\#(name)", "platform": "iOSMobileApplicationManagement", "rule": "\#(rule)"}"#
    }
    for name in ["A", "B", "C"] {
      let levels = ["unspecified", "unmanaged", "mdm"].randomElement(using: &random) ?? ""
      files["AppProtection/\(name).json"] = ##"""
        {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "\##(name)",
         "printBlocked": true, "targetedAppManagementLevels": "\##(levels)",
         "apps": [\##(targets(&random))], "assignments": [\##(assignments(&random))]}
        """##
    }
    files["AppConfiguration/Apps.json"] = ##"""
      {"@odata.type": "#microsoft.graph.targetedManagedAppConfiguration", "displayName": "Apps",
       "customSettings": [{"name": "a", "value": "b"}],
       "apps": [\##(targets(&random))], "assignments": [\##(assignments(&random))]}
      """##
    for app in apps {
      files["MobileApps/\(app).json"] =
        ##"{"@odata.type": "#microsoft.graph.iosStoreApp", "id": "\##(app)-id", "bundleId": "\##(app)"}"##
    }
    let configured = apps.filter { _ in Bool.random(using: &random) }
      .map { #""\#($0)-id""# }.joined(separator: ", ")
    files["AppConfiguration/Device.json"] = ##"""
      {"@odata.type": "#microsoft.graph.iosMobileAppConfiguration", "displayName": "Device",
       "targetedMobileApps": [\##(configured)],
       "settings": [{"appConfigKey": "IntuneMAMUPN", "appConfigKeyType": "stringType",
                     "appConfigKeyValue": "{{userprincipalname}}"}],
       "assignments": [\##(assignments(&random))]}
      """##
    var reader = TenantReader(folder: "contoso")
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    return try reader.finish()
  }

  // MARK: Answers

  /// Returns the answers that a recipient's licence allows. If the export does not state the
  /// licence of an account, it counts as given.
  private static func answers<Answer: Hashable>(
    _ alternatives: [Assumptions.Alternative<Answer>]?
  ) throws -> Set<Answer> {
    let possible = try #require(alternatives).filter { alternative in
      alternative.facts.allSatisfy { $0.fact != .licence || $0.holds }
    }
    return Set(possible.map(\.answer))
  }

  /// Returns the names of the documents that apply; nil if that depends on unknown facts.
  private static func applying(
    _ results: [TenantAnswer.Result<TenantAnswer.Delivery>], names: [String]
  ) throws -> Set<String>? {
    var found: Set<String> = []
    for result in results {
      let applies = Set(try answers(result.alternatives).map(\.applies))
      guard applies.count == 1 else { return nil }
      if applies == [true] { found.insert(names[result.document]) }
    }
    return found
  }

  @Test func `policies delivered to a user are the policies that the tenant's answer lists`() throws
  {
    var compared = 0
    for seed in UInt64(1)...40 {
      var random = SeededGenerator(seed: seed)
      let tenant = try Self.tenant(&random)
      for user in Self.users {
        let index = try #require(tenant.directory.user(user))
        let recipient = try #require(TenantRecipient(Account(upn: user), of: tenant))
        for app in Self.apps {
          for device in Self.devices {
            let place = "seed \(seed), \(user), \(app), \(device.text)"
            let answer = tenant.answer(for: index, app: app, on: device)
            let policies = try Self.applying(
              answer.policies, names: tenant.policies.map(\.displayName))
            let configurations = try Self.applying(
              answer.configurations, names: tenant.configurations.map(\.displayName))
            let delivery: TenantDelivery
            do throws(TenantGaps) {
              delivery = try tenant.delivery(
                to: recipient, in: [TenantApp(bundleID: app)], on: device)
            } catch {
              // On a managed device, a policy may also depend on facts about the state in which the
              // app is not.
              #expect(
                device.isManaged || policies == nil || configurations == nil,
                "\(place): \(error.gaps.map(\.fact))")
              continue
            }
            let hasUPN = configurations?.contains("Device") ?? false
            let state = ManagementState(
              isMDMEnrolled: device.isManaged, hasEnrolledUPN: hasUPN)
            let delivered = delivery.policies.filter {
              $0.targets(bundleID: app, state: state).isTargeted
            }
            #expect(Set(delivered.map(\.displayName)) == policies, "\(place)")
            let effective = try Self.answers(answer.effective)
            #expect(effective.count == 1, "\(place)")
            #expect(
              Set(effective.flatMap { $0 }.map { tenant.policies[$0].displayName }) == policies,
              "\(place)")
            let configured = delivery.configurations.filter {
              $0.targets(bundleID: app, state: state)
            }
            #expect(Set(configured.map(\.displayName)) == configurations, "\(place)")
            compared += 1
          }
        }
      }
    }
    // Otherwise, nearly all answers would depend on unknown facts.
    #expect(compared > 100)
  }

  @Test
  func `delivery under each combination of unknown facts matches the answer's alternatives`()
    throws
  {
    var open = 0
    for seed in UInt64(1)...40 {
      var random = SeededGenerator(seed: seed)
      let tenant = try Self.tenant(&random)
      for user in Self.users {
        let index = try #require(tenant.directory.user(user))
        let recipient = try #require(
          TenantRecipient(Account(upn: user), of: tenant, isLicensed: nil))
        for app in Self.apps {
          for device in Self.devices where !device.isManaged {
            let place = "seed \(seed), \(user), \(app), \(device.text)"
            let apps = [TenantApp(bundleID: app)]
            let suppositions = try tenant.suppositions(about: recipient, in: apps, on: [device])
            let delivered = try suppositions.map { supposition in
              let delivery = try tenant.delivery(
                to: recipient, in: apps, on: device, supposing: supposition)
              return Set(delivery.policies.map(\.displayName))
            }
            let answer = tenant.answer(for: index, app: app, on: device)
            let expected = try #require(answer.effective).map { alternative in
              Set(alternative.answer.map { tenant.policies[$0].displayName })
            }
            #expect(Set(delivered) == Set(expected), "\(place)")
            // The cases are all combinations of the facts, each once.
            let share = suppositions.flatMap(\.cases).map { 1 / Double(1 << $0.count) }
            #expect(share.reduce(0, +) == 1, "\(place)")
            if suppositions.count > 1 { open += 1 }
          }
        }
      }
    }
    #expect(open > 10)
  }

  @Test(
    arguments: [
      (["mfa"], "enabled", 1), (["mfa", "compliantDevice"], "enabled", 1), ([], "enabled", 1),
      (["compliantDevice"], "enabledForReportingButNotEnforced", 1),
      (["compliantDevice"], "enabled", 2), (["block"], "enabled", 2),
    ] as [([String], String, Int)])
  func `a conditional access policy's groups matter only if the policy may refuse a token`(
    controls: [String], state: String, count: Int
  ) throws {
    let list = controls.map { "\"\($0)\"" }.joined(separator: ", ")
    let files = [
      "u.json": #"{"userPrincipalName": "anna@contoso.com", "assignedLicenses": [{"skuId": "1"}]}"#,
      "c.json": ##"""
      {"@odata.type": "#microsoft.graph.conditionalAccessPolicy", "displayName": "CA", "state": "\##(state)",
       "conditions": {"clientAppTypes": ["all"], "applications": {"includeApplications": ["All"]},
                      "users": {"includeGroups": ["10000000-0000-4000-8000-000000000009"]}},
       "grantControls": {"operator": "OR", "builtInControls": [\##(list)]}}
      """##,
    ]
    var reader = TenantReader(folder: "contoso")
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    let tenant = try reader.finish()
    let anna = try #require(TenantRecipient(Account(upn: "anna@contoso.com"), of: tenant))
    let apps = Self.apps.map { TenantApp(bundleID: $0) }
    let suppositions = try tenant.suppositions(about: anna, in: apps, on: [TenantDevice()])
    #expect(suppositions.count == count)
    for supposition in suppositions {
      _ = try tenant.delivery(to: anna, in: apps, on: TenantDevice(), supposing: supposition)
    }
  }

  @Test func `the remedy for an unknown licence names the key that states the licence`() throws {
    let files = [
      "u.json": #"{"userPrincipalName": "anna@contoso.com"}"#,
      "p.json": ##"""
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "printBlocked": true,
       "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}}],
       "assignments": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget"}}]}
      """##,
    ]
    var reader = TenantReader(folder: "contoso")
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    let tenant = try reader.finish()
    let anna = try #require(
      TenantRecipient(Account(upn: "anna@contoso.com"), of: tenant, isLicensed: nil))
    let apps = [TenantApp(bundleID: "com.contoso.mail")]
    let error = #expect(throws: TenantGaps.self) {
      try tenant.delivery(to: anna, in: apps, on: TenantDevice())
    }
    #expect(error?.gaps.map(\.fact) == ["anna@contoso.com has a licence"])
    #expect(error?.gaps.first?.remedy.contains("`licensed`") == true, "\(error as Any)")
  }

  @Test func `a filter of app versions may be true in one app and false in another`() throws {
    let files = [
      "u.json": #"{"userPrincipalName": "anna@contoso.com", "assignedLicenses": [{"skuId": "1"}]}"#,
      "f.json": ##"""
      {"@odata.type": "#microsoft.graph.deviceAndAppManagementAssignmentFilter", "id": "f", "displayName": "New",
       "platform": "iOSMobileApplicationManagement", "rule": "app.appVersion -startsWith \"4.\""}
      """##,
      "p.json": ##"""
      {"@odata.type": "#microsoft.graph.iosManagedAppProtection", "displayName": "P", "printBlocked": true,
       "apps": [{"mobileAppIdentifier": {"bundleId": "com.contoso.mail"}},
                {"mobileAppIdentifier": {"bundleId": "com.contoso.notes"}}],
       "assignments": [{"target": {"@odata.type": "#microsoft.graph.allLicensedUsersAssignmentTarget",
         "deviceAndAppManagementAssignmentFilterId": "f", "deviceAndAppManagementAssignmentFilterType": "include"}}]}
      """##,
    ]
    var reader = TenantReader(folder: "contoso")
    for (path, text) in files.sorted(by: { $0.key < $1.key }) {
      reader.add(ExportFolder.File(path: path, bytes: Array(text.utf8)))
    }
    let tenant = try reader.finish()
    let anna = try #require(TenantRecipient(Account(upn: "anna@contoso.com"), of: tenant))
    let apps = Self.apps.map { TenantApp(bundleID: $0) }
    let suppositions = try tenant.suppositions(about: anna, in: apps, on: [TenantDevice()])
    let delivered = try suppositions.map { supposition in
      try tenant.delivery(to: anna, in: apps, on: TenantDevice(), supposing: supposition)
        .policies.first?.targeting.bundleIDs ?? []
    }
    #expect(
      Set(delivered) == [
        [], ["com.contoso.mail"], ["com.contoso.notes"], ["com.contoso.mail", "com.contoso.notes"],
      ])
    #expect(
      suppositions.first?.cases.first?.map(\.text) == [
        "the filter `New` is true in `com.contoso.mail`",
        "the filter `New` is true in `com.contoso.notes`",
      ])
    let versions = apps.map { TenantApp(bundleID: $0.bundleID, version: "4.1") }
    let known = try tenant.suppositions(about: anna, in: versions, on: [TenantDevice()])
    #expect(known.map(\.cases) == [[[]]])
  }
}
