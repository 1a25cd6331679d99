import Enrollment
import Model
import TestSupport
import Testing

@Suite struct ConditionalAccessTests {
  private let anna = Account(
    upn: "anna@contoso.com", objectID: "0f8fad5b-d9cb-469f-a165-70867728950e",
    tenantID: "contoso.com")
  private let ben = Account(
    upn: "ben@contoso.com", objectID: "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    tenantID: "contoso.com")
  private let graph = "https://graph.microsoft.com"
  private static let block = #"{"builtInControls": ["block"]}"#

  func policy(
    state: String = "enabled", users: String = #"{"includeUsers": ["All"]}"#,
    applications: String = #"{"includeApplications": ["All"]}"#, platforms: String = "null",
    clients: String = #"["all"]"#, more: String = "",
    grant: String = #"{"builtInControls": ["compliantApplication"]}"#
  ) throws -> ConditionalAccessPolicy {
    let text = """
      {"displayName": "Require protection", "state": "\(state)",
       "conditions": {"users": \(users), "applications": \(applications),
         "platforms": \(platforms), "clientAppTypes": \(clients)\(more)},
       "grantControls": \(grant)}
      """
    return try #require(ConditionalAccessReader.read(Array(text.utf8), file: "ca.json").first)
  }

  private func rules(
    _ policies: [ConditionalAccessPolicy], resource: String? = nil,
    capabilities: [String] = ["protapp"],
    isProtected: Bool = false, isMDMEnrolled: Bool = false
  ) -> [Rule] {
    let access = ConditionalAccess([.init(name: "a", policies: policies)])
    return access.decide(
      TokenRequest(
        account: anna, resource: resource ?? graph, capabilities: capabilities,
        isProtected: isProtected, device: DirectoryDevice(isMDMEnrolled: isMDMEnrolled))
    ).verdict.reasons.map(\.rule)
  }

  /// Evaluates the policy for a sign-in to `resource`.
  private func judge(
    _ policy: ConditionalAccessPolicy, _ account: Account? = nil, resource: String? = nil,
    device: DirectoryDevice = DirectoryDevice()
  ) -> ConditionalAccessPolicy.Judgement {
    policy.judgement(on: SignIn(account ?? anna, resource: resource, device: device))
  }

  private func names(_ policy: ConditionalAccessPolicy, _ account: Account) -> Bool {
    judge(policy, account).applies == true
  }

  private func isFor(_ resource: String, _ policy: ConditionalAccessPolicy) -> Bool {
    judge(policy, resource: resource).applies == true
  }

  @Test func `a conditional access policy applies to included users who are not excluded`() throws {
    let include = { (list: String) in
      try self.policy(users: #"{"includeUsers": [\#(list)], "excludeUsers": []}"#)
    }
    #expect(try names(include(#""All""#), anna))
    #expect(try names(include(#""0F8FAD5B-D9CB-469F-A165-70867728950E""#), anna))
    #expect(try names(include(#""anna@contoso.com""#), anna))
    #expect(try !names(include(#""None""#), anna))
    #expect(try !names(include(""), anna))
    #expect(try names(include(#""All""#), Account(upn: "anna@x.org", objectID: "abc")))
    #expect(try names(include(#""All""#), Account(upn: "anna@x.org", tenantID: "contoso.com")))
    #expect(
      try judge(policy(users: #"{"includeUsers": ["All"], "excludeUsers": ["All"]}"#))
        == .spared(.users))
    let exclude = try policy(
      users:
        #"{"includeUsers": ["All"], "excludeUsers": ["7c9e6679-7425-40de-944b-e07fc1f90ae7"]}"#)
    #expect(names(exclude, anna) && !names(exclude, ben))
    #expect(try !names(include(#""All""#), Account(upn: "anna@example.org")))
    #expect(
      try !names(policy(users: #"{"includeUsers": [], "includeGroups": ["x"]}"#), anna))
  }

  @Test func `a conditional access policy names resources by id, URI or keyword`() throws {
    let isFor = { (included: String, excluded: String, resource: String) in
      self.isFor(
        resource,
        try self.policy(
          applications:
            #"{"includeApplications": [\#(included)], "excludeApplications": [\#(excluded)]}"#))
    }
    #expect(try isFor(#""All""#, "", graph))
    #expect(try isFor(#""00000003-0000-0000-C000-000000000000""#, "", graph + "/"))
    #expect(try !isFor(#""Office365""#, "", graph))
    #expect(try isFor(#""Office365""#, "", "https://outlook.office365.com"))
    #expect(try !isFor(#""All""#, #""Office365""#, "https://outlook.office365.com"))
    #expect(try !isFor(#""None""#, "", graph))
    #expect(try isFor(#""api://contoso""#, "", "API://Contoso/"))
  }

  @Test(
    arguments: [
      ("https://contoso.sharepoint.com", "Office365", true),
      ("https://contoso-my.sharepoint.com/.default", "Office365", true),
      (
        "https://contoso.sharepoint.com/AllSites.Read", "00000003-0000-0ff1-ce00-000000000000", true
      ),
      ("00000003-0000-0ff1-ce00-000000000000/.default", "Office365", true),
      ("https://api.spaces.skype.com", "Office365", true),
      ("https://api.spaces.skype.com/.default", "cc15fd57-2c6c-4117-a88c-83b1d56b4bbe", true),
      ("https://outlook.office365.com/.default", "Office365", true),
      ("https://outlook.office.com/Mail.Read", "00000002-0000-0ff1-ce00-000000000000", true),
      ("https://graph.microsoft.com/.default", "00000003-0000-0000-c000-000000000000", true),
      (
        "api://11111111-1111-4111-8111-111111111111/x", "11111111-1111-4111-8111-111111111111", true
      ),
      ("https://contoso.sharepoint.com", "00000002-0000-0ff1-ce00-000000000000", false),
      ("https://management.azure.com/.default", "Office365", false),
      ("11111111-1111-4111-8111-111111111111", "00000002-0000-0ff1-ce00-000000000000", false),
      ("api://contoso/x", "00000003-0000-0ff1-ce00-000000000000", false),
      ("https://outlook.office.com", "Office365", true),
      ("https://api.skypeforbusiness.com", "Office365", true),
      ("https://www.yammer.com", "Office365", true), ("https://api.yammer.com", "Office365", true),
      ("https://onenote.com", "Office365", true),
      ("https://management.core.windows.net", "Office365", false),
      ("00000003-0000-0000-c000-000000000000", "https://graph.microsoft.com", true),
      ("https://graph.microsoft.com", "MicrosoftAdminPortals", false),
      // The text before the last slash is the resource, in a URI only.
      ("api://contoso/x", "api://contoso", true), ("contoso/x", "contoso", false),
      // The host or the first part of a URI is not the application's id.
      ("api://graph.microsoft.com", "00000003-0000-0000-c000-000000000000", false),
      ("https://mygraph.microsoft.com", "00000003-0000-0000-c000-000000000000", nil),
      (
        "https://11111111-1111-4111-8111-111111111111", "11111111-1111-4111-8111-111111111111", nil
      ),
      ("https://", "None", false), ("https://api.contoso.com", "None", false),
      // A URI with `https:` may be one of Microsoft's, a URI with `api:` is not.
      ("https://api.contoso.com", "00000003-0000-0ff1-ce00-000000000000", nil),
      ("api://contoso/x", "11111111-1111-4111-8111-111111111111", nil),
      ("https://sharepoint.com.example.org", "Office365", nil),
      ("https://evilsharepoint.com", "Office365", nil),
      ("https://graph.microsoft.com", "Office365", nil),
      ("https://api.contoso.com", "Office365", nil),
      ("https://api.contoso.com", "11111111-1111-4111-8111-111111111111", nil),
      ("11111111-1111-4111-8111-111111111111", "Office365", nil),
      ("11111111-1111-4111-8111-111111111111", "MicrosoftAdminPortals", nil),
    ] as [(String, String, Bool?)])
  func `a policy's application condition matches, excludes or cannot resolve a token's resource`(
    resource: String, application: String, applies: Bool?
  ) throws {
    let included = try policy(
      applications: #"{"includeApplications": ["\#(application)"]}"#, grant: Self.block)
    #expect(judge(included, resource: resource).applies == applies)
    #expect(
      rules([included], resource: resource)
        == [
          applies == nil
            ? .conditionTakenAsNotMet
            : applies == true ? .conditionalAccessBlocks : .tokenUnconditional
        ])
    // An unknown exclusion does not exempt the app.
    let excluded = try policy(
      applications:
        #"{"includeApplications": ["All"], "excludeApplications": ["\#(application)"]}"#,
      grant: Self.block)
    #expect(judge(excluded, resource: resource).applies == (applies != true))
    if applies == nil {
      #expect(
        judge(excluded, resource: resource) == .applies(takenAsMet: ["excludeApplications"]))
    }
  }

  /// The id that starts with `797f4846` is that of Azure's management.
  @Test(
    arguments: [
      ("", true), (#""All""#, true), (#""Office365""#, true),
      (#""11111111-1111-4111-8111-111111111111""#, true), (#""MicrosoftAdminPortals""#, false),
      (#""797f4846-ba00-4fd7-ba43-dac1f8f63013""#, false),
      (#""MicrosoftAdminPortals", "797f4846-ba00-4fd7-ba43-dac1f8f63013""#, false),
      (#""MicrosoftAdminPortals", "00000003-0000-0000-c000-000000000000""#, true),
    ])
  func `a conditional access policy that includes only administration resources covers no app`(
    included: String, mayCover: Bool
  ) throws {
    let policy = try policy(applications: #"{"includeApplications": [\#(included)]}"#)
    #expect(policy.mayCoverApps == mayCover)
  }

  @Test(arguments: [("Office365", false), ("11111111-1111-4111-8111-111111111111", true)])
  func `a policy that excludes Office 365 covers no app`(excluded: String, mayCover: Bool) throws {
    let policy = try policy(
      applications: #"{"includeApplications": ["All"], "excludeApplications": ["\#(excluded)"]}"#)
    #expect(policy.mayCoverApps == mayCover)
  }

  @Test func `a disabled policy, or one for other platforms or clients, does not apply`() throws {
    let judge = { (policy: ConditionalAccessPolicy) in self.judge(policy, resource: self.graph) }
    #expect(try judge(policy(state: "disabled")) == .spared(.disabled))
    #expect(
      try judge(policy(platforms: #"{"includePlatforms": ["android"]}"#)) == .spared(.platform))
    #expect(
      try judge(policy(platforms: #"{"includePlatforms": ["iOS"]}"#)) == .applies(takenAsMet: []))
    #expect(
      try judge(
        policy(platforms: #"{"includePlatforms": ["all"], "excludePlatforms": ["android"]}"#))
        == .applies(takenAsMet: []))
    #expect(
      try judge(policy(platforms: #"{"includePlatforms": ["all"], "excludePlatforms": ["iOS"]}"#))
        == .spared(.platform))
    #expect(try judge(policy(clients: #"["browser"]"#)) == .spared(.client))
    #expect(try judge(policy(clients: "[]")).applies == true)
    let actions = #"{"includeApplications": [], "includeUserActions": ["urn:user:registerdevice"]}"#
    #expect(try judge(policy(applications: actions)) == .spared(.resource))
  }

  @Test(
    arguments: table(
      """
      "includeApplications": ["All"]
      => applies
      "includeApplications": ["11111111-1111-4111-8111-11111111111A"]
      => applies; for tokens for `11111111-1111-4111-8111-11111111111A` only
      "includeApplications": ["All"], "excludeApplications": ["00000003-0000-0000-c000-000000000000"]
      => applies; not for tokens for `00000003-0000-0000-c000-000000000000` (https://graph.microsoft.com)
      "includeApplications": [], "includeUserActions": ["urn:user:registerdevice"]
      => does not apply: it targets the user action `urn:user:registerdevice`, not tokens
      "includeAuthenticationContextClassReferences": ["c1", "c2"]
      => does not apply: it targets the authentication contexts `c1` and `c2`, not tokens
      "includeApplications": [], "globalSecureAccess": {}
      => does not apply: it targets network traffic, not tokens
      "includeApplications": ["None"]
      => does not apply: it names no resource
      "includeApplications": [], "applicationFilter": {"mode": "include", "rule": "x"}
      => applies, with `applicationFilter` assumed to be met
      """))
  func `without a resource, a token decision lists the resources that a policy names`(
    applications: String, clause: String
  ) throws {
    let policy = try policy(applications: "{\(applications)}")
    #expect(policy.clause(of: judge(policy)) == clause)
  }

  @Test
  func `a policy that covers only device code flow or authentication transfer does not apply`()
    throws
  {
    let flows = { (methods: String) in
      try self.policy(
        more: #", "authenticationFlows": {"transferMethods": \#(methods)}"#,
        grant: Self.block)
    }
    for methods in [#""deviceCodeFlow""#, #""deviceCodeFlow,authenticationTransfer""#] {
      #expect(rules([try flows(methods)]) == [.tokenUnconditional])
      #expect(try judge(flows(methods)) == .spared(.authenticationFlow))
    }
    for methods in [#""none""#, #""""#, "null"] {
      #expect(rules([try flows(methods)]) == [.conditionalAccessBlocks])
    }
  }

  @Test(
    arguments: [
      ("clientAppTypes", nil, #"["nonsense"]"#, nil),
      ("clientAppTypes", nil, #"["browser", "nonsense"]"#, nil),
      ("platforms", #"{"includePlatforms": ["nonsense"]}"#, nil, nil),
      ("platforms", #"{"includePlatforms": ["all"], "excludePlatforms": ["nonsense"]}"#, nil, nil),
      ("authenticationFlows", nil, nil, #"{"transferMethods": "deviceCodeFlow,nonsense"}"#),
      ("other", nil, nil, #"{"other": "x"}"#),
    ] as [(String, String?, String?, String?)])
  func `conditional access conditions with undocumented values are reported and assumed to match`(
    name: String, platforms: String?, clients: String?, flows: String?
  ) throws {
    let policy = try policy(
      platforms: platforms ?? "null", clients: clients ?? #"["all"]"#,
      more: flows.map { #", "authenticationFlows": \#($0)"# } ?? "",
      grant: Self.block)
    #expect(judge(policy) == .applies(takenAsMet: [name]))
    #expect(rules([policy]) == [.conditionalAccessBlocks, .conditionTakenAsMet])
  }

  @Test func `a device filter limits the devices of a policy`() throws {
    let filtered = { (mode: String, rule: String) in
      try self.policy(
        more: #", "devices": {"deviceFilter": {"mode": "\#(mode)", "rule": "\#(rule)"}}"#,
        grant: Self.block)
    }
    let block: [Rule] = [.conditionalAccessBlocks]
    let exclude = try filtered("exclude", "device.isCompliant -eq True")
    #expect(rules([exclude]) == block)
    #expect(rules([exclude], isMDMEnrolled: true) == [.tokenUnconditional])
    let include = try filtered("include", "device.isCompliant -eq True")
    #expect(rules([include]) == [.tokenUnconditional])
    #expect(rules([include], isMDMEnrolled: true) == block)
    #expect(
      rules([try filtered("include", #"device.mdmAppId -ne \"x\""#)]) == block)
    // The ownership of the device is unknown.
    let owned = try filtered("exclude", #"device.deviceOwnership -eq \"Company\""#)
    #expect(rules([owned], isMDMEnrolled: true) == block + [.conditionTakenAsMet])
    #expect(rules([owned]) == block)
  }

  @Test func `conditions that are not simulated are assumed to match, with a note`() throws {
    let risky = try policy(
      more: #", "signInRiskLevels": ["high"], "locations": {"includeLocations": ["x"]}"#)
    let access = ConditionalAccess([.init(name: "a", policies: [risky])])
    let decision = access.decide(
      TokenRequest(
        account: anna, resource: graph, capabilities: ["protapp"], isProtected: true))
    #expect(decision.verdict.reasons.map(\.rule) == [.protectionApplied, .conditionTakenAsMet])
    #expect(decision.verdict.outcome == .allowed && decision.status == 0)
    #expect(decision.grounds.last?.conditions == ["signInRiskLevels", "locations"])
    let unheardOf = try policy(more: #", "moonPhases": ["full"]"#)
    #expect(rules([unheardOf]) == [.protectionRequired, .conditionTakenAsMet])
    #expect(unheardOf.unsimulated == ["moonPhases"])
    let filter = try policy(
      applications:
        #"{"includeApplications": [], "applicationFilter": {"mode": "include", "rule": "x"}}"#)
    #expect(rules([filter]) == [.protectionRequired, .conditionTakenAsMet])
    let listed = try policy(
      applications:
        #"{"includeApplications": ["Office365"], "applicationFilter": {"mode": "include", "rule": "x"}}"#
    )
    #expect(judge(listed, resource: "https://management.azure.com") == .spared(.resource))
  }

  @Test func `conditions on groups and roles are unknown without the directory`() throws {
    let admins = try policy(
      users: #"{"includeUsers": [], "includeRoles": ["r"], "includeGroups": ["g"]}"#,
      grant: Self.block)
    #expect(rules([admins]) == [.tokenUnconditional, .conditionTakenAsNotMet])
    #expect(judge(admins) == .unknown(.init(["includeGroups", "includeRoles"], isNamed: false)))
    #expect(
      judge(admins).text
        == "unknown: only the directory knows whether `includeGroups`, `includeRoles` includes the account"
    )
    #expect(judge(admins).applies == nil && !judge(admins).counts)
    let all = try policy(
      users: #"{"includeUsers": ["All"], "excludeGroups": ["g"]}"#, grant: Self.block)
    #expect(rules([all]) == [.conditionalAccessBlocks, .conditionTakenAsMet])
    #expect(judge(all) == .unknown(.init(["excludeGroups"], isNamed: true)))
    #expect(judge(all).applies == nil && judge(all).counts)
    #expect(
      judge(all).text
        == "unknown: only the directory knows whether `excludeGroups` excludes the account")
    // The assignment is known.
    #expect(
      all.judgement(on: SignIn(anna, device: DirectoryDevice()), isAssigned: true)
        == .applies(takenAsMet: []))
    #expect(
      admins.judgement(on: SignIn(anna, device: DirectoryDevice()), isAssigned: false)
        == .spared(.users))
  }

  @Test func `a report-only policy is reported but not enforced`() throws {
    let report = try policy(state: "enabledForReportingButNotEnforced", grant: Self.block)
    #expect(rules([report]) == [.tokenUnconditional, .conditionalAccessReports])
    #expect(report.clause(of: judge(report)) == "report only: applies")
    #expect(
      rules([report, try policy()], isProtected: true)
        == [.protectionApplied, .conditionalAccessReports])
    #expect(rules([try policy(state: "disabled")]) == [.tokenUnconditional])
  }

  @Test func `users are assumed to satisfy an authentication strength, like multi-factor sign-in`()
    throws
  {
    let grant = { (join: String) in
      try self.policy(
        grant:
          #"{"operator": "\#(join)", "builtInControls": ["compliantDevice"], "authenticationStrength": {"id": "s"}}"#
      )
    }
    #expect(rules([try grant("OR")]) == [.grantControlsMet])
    #expect(rules([try grant("AND")]) == [.grantControlMissing])
  }

  @Test func `a required app protection policy counts only if the app declares protapp`()
    throws
  {
    let policy = try policy()
    #expect(rules([policy]) == [.protectionRequired])
    #expect(rules([policy], capabilities: []) == [.protectionNotDeclared])
    #expect(rules([policy], capabilities: ["CP1"], isProtected: true) == [.protectionNotDeclared])
    for spelling in ["protapp", "ProtApp", "PROTAPP"] {
      #expect(rules([policy], capabilities: [spelling], isProtected: true) == [.protectionApplied])
    }
    #expect(rules([]) == [.tokenUnconditional])
  }

  @Test func `no token is issued if app protection is required and no protection policy applies`()
    throws
  {
    for controls in [
      #"["compliantApplication"]"#, #"["compliantApplication", "approvedApplication"]"#,
      #"["compliantApplication", "compliantDevice"]"#,
    ] {
      for join in ["AND", "OR"] {
        let policy = try policy(
          grant: #"{"operator": "\#(join)", "builtInControls": \#(controls)}"#)
        for capabilities in [[], ["protapp"], ["x"]] {
          let access = ConditionalAccess([.init(name: "a", policies: [policy])])
          let decision = access.decide(
            TokenRequest(account: anna, resource: graph, capabilities: capabilities))
          #expect(decision.verdict.outcome == .blocked && decision.status != 0)
        }
      }
    }
  }

  @Test(arguments: [
    #""compliantDevice", "compliantApplication""#, #""compliantApplication", "compliantDevice""#,
  ])
  func `grant controls combine by the operator AND or OR, in any order`(controls: String) throws {
    let grant = { (join: String) in
      try self.policy(grant: #"{"operator": "\#(join)", "builtInControls": [\#(controls)]}"#)
    }
    #expect(rules([try grant("OR")]) == [.protectionRequired])
    #expect(rules([try grant("OR")], isMDMEnrolled: true) == [.grantControlsMet])
    #expect(rules([try grant("OR")], isProtected: true) == [.protectionApplied])
    #expect(rules([try grant("AND")]) == [.grantControlMissing])
    #expect(rules([try grant("AND")], isMDMEnrolled: true) == [.protectionRequired])
    #expect(
      rules([try grant("AND")], isProtected: true, isMDMEnrolled: true) == [.protectionApplied])
  }

  @Test
  func `multi-factor sign-in counts as satisfied, and block overrides all grant controls`() throws {
    let mfa = try policy(grant: #"{"operator": "AND", "builtInControls": ["mfa"]}"#)
    #expect(rules([mfa]) == [.grantControlsMet])
    let block = try policy(grant: #"{"operator": "OR", "builtInControls": ["mfa", "block"]}"#)
    #expect(rules([block], isProtected: true) == [.conditionalAccessBlocks])
    let nothing = try policy(grant: "null")
    #expect(rules([nothing]) == [.grantControlsMet])
  }

  @Test func `a retired grant control counts as not selected`() throws {
    let grant = { (join: String, controls: String) in
      try self.policy(grant: #"{"operator": "\#(join)", "builtInControls": [\#(controls)]}"#)
    }
    for join in ["AND", "OR"] {
      let alone = try grant(join, #""approvedApplication""#)
      #expect(rules([alone]) == [.grantControlsMet])
      let both = try grant(join, #""approvedApplication", "compliantApplication""#)
      #expect(rules([both]) == [.protectionRequired])
      #expect(rules([both], isProtected: true) == [.protectionApplied])
      let device = try grant(join, #""approvedApplication", "compliantDevice""#)
      #expect(rules([device]) == [.grantControlMissing])
      #expect(rules([device], isMDMEnrolled: true) == [.grantControlsMet])
      let block = try grant(join, #""approvedApplication", "block""#)
      #expect(rules([block]) == [.conditionalAccessBlocks])
    }
  }

  @Test func `a token requires that all applicable conditional access policies are satisfied`()
    throws
  {
    let block = try policy(grant: Self.block)
    #expect(
      rules([try policy(), block], isProtected: true)
        == [.protectionApplied, .conditionalAccessBlocks])
  }

  @Test func `assigned accounts replace the user conditions of a conditional access policy`()
    throws
  {
    var access = ConditionalAccess([
      .init(name: "a", policies: [try policy()], audience: .accounts([ben]))
    ])
    let applies = { (access: ConditionalAccess, account: Account) in
      access.judgements(on: SignIn(account, resource: self.graph, device: DirectoryDevice()))
        .map(\.judgement.applies)
    }
    #expect(applies(access, anna) == [false])
    #expect(applies(access, ben) == [true])
    access.assign("a", to: [anna])
    access.assign("b", to: [ben])
    #expect(applies(access, anna) == [true])
    #expect(applies(access, ben) == [false])
  }

  @Test func `group conditions use the account's groups and match no account outside the tenant`()
    throws
  {
    let all = try policy(users: #"{"includeUsers": ["All"], "excludeGroups": ["g"]}"#)
    let judge = { (principals: [ConditionalAccessPolicy.Principal: Bool], account: Account) in
      ConditionalAccess([
        .init(
          name: "a", policies: [all],
          audience: .members([.init(account: self.anna, principals: principals)]))
      ]).judgements(on: SignIn(account, resource: self.graph, device: DirectoryDevice()))
        .map(\.judgement)
    }
    #expect(judge([.group("g"): true], anna) == [.spared(.users)])
    #expect(judge([.group("g"): false], anna) == [.applies(takenAsMet: [])])
    #expect(judge([:], anna) == [.unknown(.init(["excludeGroups"], isNamed: true))])
    #expect(judge([.group("g"): false], ben) == [.spared(.users)])
    let members = try policy(users: #"{"includeUsers": [], "includeGroups": ["g"]}"#)
    for (isMember, expected) in [
      (true, ConditionalAccessPolicy.Judgement.applies(takenAsMet: [])), (false, .spared(.users)),
      (nil, .unknown(.init(["includeGroups"], isNamed: false))),
    ] as [(Bool?, ConditionalAccessPolicy.Judgement)] {
      #expect(
        members.judgement(on: SignIn(anna, device: DirectoryDevice())) { _ in isMember }
          == expected)
    }
  }

  @Test func `a conditional access error names the account to remediate`() {
    #expect(
      TokenRequest(account: anna, resource: graph).homeAccount
        == "0f8fad5b-d9cb-469f-a165-70867728950e.contoso.com")
    #expect(
      TokenRequest(account: Account(upn: "x@y.z"), resource: graph).homeAccount == "x@y.z.y.z")
  }

  @Test func `a token decision checks the network first, then the account, then policies`() throws {
    let access = ConditionalAccess([.init(name: "a", policies: [try policy()])])
    var request = TokenRequest(account: anna, resource: graph)
    request.isAccountDisabled = true
    #expect(access.decide(request).verdict.deciding.rule == .tokenAccountDisabled)
    request.isOnline = false
    #expect(access.decide(request).verdict.deciding.rule == .tokenServiceUnreachable)
  }
}
