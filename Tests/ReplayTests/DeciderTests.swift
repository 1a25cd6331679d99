import Analysis
import Encodings
import Model
import Policy
import PolicySupport
import Replay
import Simulation
import Testing

/// Tests requests and the verdicts on them.
@Suite struct DeciderTests {
  private static let mail = #""sender":{"app":"com.contoso.mail","account":"anna@contoso.com"}"#
  private static let open =
    #""sender":{"app":"com.contoso.mail","account":"anna@contoso.com","policy":"Open"}"#
  private static let viewer = #""receiver":{"app":"org.example.viewer"}"#
  private static let notes =
    #""receiver":{"app":"com.contoso.notes","account":"anna@contoso.com"}"#

  struct RequestRow: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let members: [String]
    /// The verdict and the deciding rule.
    let answer: String

    init(_ name: String, _ members: String..., gets answer: String) {
      testDescription = name
      self.members = members
      self.answer = answer
    }

    var line: String { "{\(members.joined(separator: ","))}" }
  }

  static let requests = [
    RequestRow(
      "org data to an unmanaged app", mail, viewer, gets: "blocked by sendManagedAppsToUnmanaged"),
    RequestRow(
      "org data to a managed app", mail, notes, gets: "allowed by sendManagedAppsToManaged"),
    RequestRow(
      "through the system", mail, viewer, #""via":"os""#,
      gets: "encrypted by sendManagedAppsEncrypts"),
    RequestRow(
      "between apps without policy", #""sender":{"app":"a"}"#, viewer,
      gets: "allowed by noRuleApplied"),
    RequestRow(
      "an app that no policy targets",
      #""sender":{"app":"com.contoso.other","account":"anna@contoso.com"}"#, viewer,
      gets: "allowed by noRuleApplied"),
    RequestRow(
      "an account that the request calls managed",
      #""sender":{"app":"com.contoso.other","account":"anna@contoso.com","managed":true}"#, viewer,
      gets: "blocked by sendManagedAppsToUnmanaged"),
    RequestRow(
      "an account that the request calls unmanaged",
      #""sender":{"app":"com.contoso.mail","account":"anna@contoso.com","managed":false}"#, viewer,
      gets: "allowed by noRuleApplied"),
    RequestRow(
      "under a policy that the request names",
      #""sender":{"app":"com.contoso.mail","account":"anna@contoso.com","policy":"Open"}"#, viewer,
      gets: "allowed by sendAllApps"),
    RequestRow(
      "from a view of several accounts",
      #""sender":{"app":"com.contoso.mail","account":"anna@contoso.com","mixedView":true}"#, notes,
      gets: "blocked by sendNone"),
    RequestRow(
      "from a view of unmanaged accounts",
      #""sender":{"app":"org.example.viewer","account":"me@example.org","mixedView":true}"#, viewer,
      gets: "allowed by noRuleApplied"),
    RequestRow(
      "from MDM's mail to an app that requires an account",
      #""sender":{"app":"com.apple.mobilemail","mdmManaged":true}"#,
      #""receiver":{"app":"com.contoso.notes","mdmManaged":true,"lacksRequiredAccount":true}"#,
      #""device":{"mdmEnrolled":true}"#, gets: "blocked by workAccountRequired"),
    RequestRow(
      "the unknown account", #""sender":{"app":"com.contoso.mail","account":""}"#, viewer,
      gets: "allowed by noRuleApplied"),
    RequestRow(
      "data of another owner", #""sender":{"app":"com.contoso.mail","account":"me@example.org"}"#,
      #""owner":{"account":"anna@contoso.com"}"#, viewer,
      gets: "blocked by sendManagedAppsToUnmanaged"),
    RequestRow(
      "from an unmanaged app", #""sender":{"app":"org.example.viewer"}"#, notes,
      gets: "blocked by receiveManagedAppsFromUnmanaged"),
    RequestRow(
      "a paste", mail, viewer, #""channel":"clipboard""#,
      gets: "blocked by clipboardManagedAppsToUnmanaged"),
    RequestRow(
      "a paste of a few characters", mail, viewer, #""channel":"clipboard","text":"Room 12b""#,
      gets: "allowed by clipboardException"),
    RequestRow(
      "a paste of too many characters", mail, viewer, #""channel":"clipboard","text":"Room 12bc""#,
      gets: "blocked by clipboardManagedAppsToUnmanaged"),
    RequestRow(
      "a stated number of characters takes precedence over the text", mail, viewer,
      #""channel":"clipboard","characters":8"#, gets: "allowed by clipboardException"),
    RequestRow(
      "Unicode scalars are counted, not visible characters", mail, viewer,
      #""channel":"clipboard","text":"👩‍👩‍👧‍👦👩‍👩‍👧‍👦""#,
      gets: "blocked by clipboardManagedAppsToUnmanaged"),
    RequestRow(
      "a URL with an exempt scheme", mail, #""channel":"openURL","url":"SKYPE:bob""#,
      gets: "allowed by exemptedScheme"),
    RequestRow(
      "a URL with another scheme", mail, #""channel":"openURL","url":"zoomus:112""#,
      gets: "blocked by unmanagedScheme"),
    RequestRow(
      "a phone number", mail, #""channel":"openURL","url":"tel:112""#,
      gets: "allowed by dialerAnyApp"),
    RequestRow(
      "a phone number for the dialer that the policy names", open,
      #""receiver":{"app":"a","schemes":["Call"]}"#, #""channel":"openURL","url":"tel:112""#,
      gets: "allowed by dialerSpecificApp"),
    RequestRow(
      "a phone number for another dialer", open,
      #""receiver":{"app":"a","schemes":["tel","chat"]}"#, #""channel":"openURL","url":"tel:112""#,
      gets: "blocked by dialerOtherApp"),
    RequestRow(
      "a phone number for an unspecified app", open, viewer,
      #""channel":"openURL","url":"telprompt:112""#, gets: "blocked by dialerOtherApp"),
    RequestRow(
      "null members count as absent", mail, viewer,
      #""owner":null,"via":null,"device":null,"id":null"#,
      gets: "blocked by sendManagedAppsToUnmanaged"),
  ]

  @Test(arguments: requests)
  func `the decider answers each request with the expected verdict and deciding rule`(
    request: RequestRow
  ) throws {
    let answer = try Decisions.answer(request.line)
    let verdict = answer["verdict"]
    let words = [verdict?["outcome"]?.string, verdict?["decidedBy"]?.string].compactMap(\.self)
    #expect(words.joined(separator: " by ") == request.answer)
    #expect(answer["verdict"]?["reasons"]?.array?.isEmpty == false)
  }

  @Test(arguments: [#""seven""#, "7", "-7.50e3", #""\u00e9\n""#])
  func `a verdict has the id of its request`(id: String) throws {
    let request = Self.requests[0].members.joined(separator: ",")
    let answer = try Decisions.answer("{\(request),\"id\":\(id)}")
    let expected = try JSONReader.read(id)
    #expect(answer["id"]?.string == expected.string)
    #expect(answer.members?.map(\.name) == ["id", "verdict"])
  }

  @Test func `a verdict on a request without an id has no id`() throws {
    let answer = try Decisions.answer(Self.requests[0].line)
    #expect(answer.members?.map(\.name) == ["verdict"])
  }

  @Test func `a numeric request id keeps its spelling`() throws {
    var decider = try Decisions.decider()
    let line = "{\(Self.mail),\(Self.viewer),\"id\":1.50E+03}"
    let answer = String(decoding: try decider.answer(line, number: 1), as: UTF8.self)
    #expect(answer.hasPrefix(#"{"id":1.50E+03,"verdict":"#))
    #expect(answer.hasSuffix("}\n"))
  }

  @Test func `a reason in the decider's answer cites the setting's file and line`() throws {
    let answer = try Decisions.answer(Self.requests[0].line)
    #expect(answer["verdict"]?["reasons"]?.array?.first?["source"]?.string == "policies.json:5")
  }

  @Test func `decider answers do not depend on earlier requests`() throws {
    var decider = try Decisions.decider()
    let once = try Self.requests.map { try decider.answer($0.line, number: 1) }
    let again = try Self.requests.reversed().map { try decider.answer($0.line, number: 1) }
    #expect(once == again.reversed())
  }
}

/// Tests invalid requests and their errors.
@Suite struct DeciderErrorTests {
  private static func missing(_ member: String, at column: Int) -> String {
    "\(column): error: the member `\(member)` is missing"
  }

  private static func unknown(_ member: String, at column: Int, meant: String? = nil) -> String {
    "\(column): error: unknown member `\(member)`" + (meant.map { "; did you mean `\($0)`?" } ?? "")
  }

  static let mistakes = [
    // Text that is not a JSON object is reported with its position.
    ("", "1: error: expected a value, found the end of the file"),
    ("[]", "1: error: expected an object, found an array"),
    ("7", "1: error: expected an object, found a number"),
    (
      #"{"sender""#,
      "10: error: expected `:` after the name `sender`, found the end of the file"
    ),
    (#"{"sender":{"app":"a"}} x"#, "24: error: expected the end of the file, found `x`"),
    // A missing member is reported with the object that lacks it.
    (#"{}"#, missing("sender", at: 1)), (#"{"sender":null}"#, missing("sender", at: 1)),
    (#"{"sender":{"app":"a"}}"#, missing("receiver", at: 1)),
    (#"{"sender":{"account":"x"}}"#, missing("app", at: 11)),
    (#"{"sender":{"app":"a"},"receiver":{}}"#, missing("app", at: 34)),
    (#"{"channel":"openURL","sender":{"app":"a"}}"#, missing("url", at: 1)),
    // An unknown member is reported with a suggestion.
    (#"{"sneder":{}}"#, unknown("sneder", at: 2, meant: "sender")),
    (#"{"Sender":{}}"#, unknown("Sender", at: 2, meant: "sender")),
    (#"{"sender":{"ap":"a"}}"#, unknown("ap", at: 12, meant: "app")),
    (
      #"{"sender":{"app":"a","acount":"x"}}"#, unknown("acount", at: 22, meant: "account")
    ),
    (
      #"{"sender":{"app":"a"},"owner":{"accounts":"x"},"receiver":{"app":"b"}}"#,
      unknown("accounts", at: 32, meant: "account")
    ),
    (
      #"{"sender":{"app":"a"},"device":{"mdmEnroled":true}}"#,
      unknown("mdmEnroled", at: 33, meant: "mdmEnrolled")
    ),
    // An unknown member without a similar one has no suggestion, and an owner is not an app.
    (#"{"colour":"red"}"#, unknown("colour", at: 2)),
    (
      #"{"sender":{"app":"a"},"owner":{"app":"a"},"receiver":{"app":"b"}}"#, unknown("app", at: 32)
    ),
    // A member of the wrong type is reported with the expected type.
    (#"{"sender":7}"#, "11: error: expected an object, found a number"),
    (#"{"sender":{"app":7}}"#, "18: error: `app` must be a string, found a number"),
    (
      #"{"sender":{"app":"a","account":"x","managed":"yes"}}"#,
      "46: error: `managed` must be a boolean, found a string"
    ),
    (
      #"{"sender":{"app":"a"},"receiver":{"app":"b"},"characters":1.5}"#,
      "59: error: `characters` must be a whole number, found a number"
    ),
    (
      #"{"id":true,"sender":{"app":"a"},"receiver":{"app":"b"}}"#,
      "7: error: `id` must be a string or a number, found a boolean"
    ),
    (
      #"{"sender":{"app":"a"},"receiver":{"app":"b"},"text":["x"]}"#,
      "53: error: `text` must be a string, found an array"
    ),
    (
      #"{"sender":{"app":"a"},"receiver":{"app":"b","schemes":"call"}}"#,
      "55: error: `schemes` must be an array of URL schemes, found a string"
    ),
    (
      #"{"sender":{"app":"a"},"receiver":{"app":"b","schemes":["call","chat:"]}}"#,
      "63: error: `schemes` must list URL schemes without a colon, such as `skype`"
    ),
    (
      #"{"via":"mail","sender":{"app":"a"},"receiver":{"app":"b"}}"#,
      "8: error: `mail` is not a value of `via`; expected one of `sdk`, `os`"
    ),
    // A duplicate member is reported at its second position.
    (
      #"{"sender":{"app":"a"},"sender":{"app":"b"}}"#,
      "23: error: the member `sender` appears twice"
    ),
    // A policy applies only to a stated account, in every part of a request.
    (
      #"{"sender":{"app":"a","managed":true},"receiver":{"app":"b"}}"#,
      "11: error: the member `account` is missing"
    ),
    (
      #"{"sender":{"app":"a"},"owner":{"account":"","policy":"Base"},"receiver":{"app":"b"}}"#,
      "31: error: the member `account` is missing"
    ),
    (
      #"{"channel":"saveTo","location":"box","sender":{"app":"a"},"locationAccount":{"managed":true}}"#,
      "77: error: the member `account` is missing"
    ),
    (
      #"{"channel":"keyboard","sender":{"app":"a"},"appAccount":{"policy":"Base"}}"#,
      "57: error: the member `account` is missing"
    ),
    // An unknown policy is reported with the known ones.
    (
      #"{"sender":{"app":"a","account":"x","policy":"Bsae"},"receiver":{"app":"b"}}"#,
      "45: error: no policy is called `Bsae`; the policies are `Base`, `Open`"
    ),
  ]

  /// The line in the error is the line of the request.
  @Test(arguments: mistakes, [1, 4711])
  func `an invalid request is rejected with its position and the expected value`(
    mistake: (line: String, message: String), number: Int
  ) throws {
    #expect(
      try Decisions.complaint(mistake.line, number: number)
        == "-:\(number):\(mistake.message) [request]")
  }
}

/// Tests launch decisions, as requests.
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

  /// Returns the decision on `launch` and `device` for an app that may otherwise launch.
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
  func `the decider answers a launch request with the expected verdict and rule`(
    launch: String, device: String, expected: String
  ) throws {
    #expect(try Self.answer(launch, device: device) == expected)
  }

  @Test(
    arguments: [
      (#"{"launch":{"app":"a","idle":"PT1M"}}"#, "unknown member `idle`"),
      (#"{"launch":{"app":"a","offlineFor":"12h"}}"#, "`12h` is not a duration"),
      (#"{"launch":{"app":"a","offlineFor":"P4000D"}}"#, "`P4000D` is not a duration"),
      (#"{"launch":{"app":"a","appVersion":"new"}}"#, "`new` is not a version"),
      (#"{"launch":{"app":"a","failedAttempts":-1}}"#, "`failedAttempts` must be 0 or more"),
      (#"{"launch":{"account":"a@b.c"}}"#, "the member `app` is missing"),
      (#"{"launch":{"app":"a"},"device":{"threatLevel":"huge"}}"#, "`huge` is not a value"),
      (#"{"launch":[]}"#, "expected an object"),
      (#"{"launch":{"app":"a"},"channel":"print"}"#, "`channel` cannot be combined with `launch`"),
    ])
  func `an invalid launch request is rejected with its position`(line: String, why: String) throws {
    let complaint = try #require(try Decisions.complaint(line))
    #expect(complaint.hasPrefix("-:1:") && complaint.contains(why), "\(complaint)")
  }
}

/// The facts of a request, as in journals, form an equivalent request of `sluice decide`.
@Suite struct DeciderFactsTests {
  /// Returns a request that a device may decide. The opener of a URL with the managed browser's
  /// bundle id is the managed browser, and a location belongs to its channel.
  private static func request(_ source: inout RequestSource) -> TransferRequest? {
    var request = source.request()
    // A URL never has an invalid scheme.
    request.sender.app.schemes = request.sender.app.schemes.filter(\.isURLScheme)
    request.receiver.app.schemes = request.receiver.app.schemes.filter(\.isURLScheme)
    request.content.opensInManagedBrowser = request.receiver.app.bundleID == "com.microsoft.msedge"
    if request.channel.counterpart == .url {
      guard let scheme = request.content.scheme else { return nil }
      if request.content.link == nil { request.content.url = "\(scheme):x" }
      // The address of a web link is known.
      guard request.content.link != nil || !scheme.hasPrefix("http") else { return nil }
    }
    guard request.channel.counterpart == .location else { return request }
    let known =
      request.channel == .saveTo ? StorageLocation.saveLocations : StorageLocation.openLocations
    guard let location = request.content.location, known.contains(location) else { return nil }
    let holder = request.channel == .saveTo ? request.receiver : request.sender
    return location.hasAccount || holder.identity.accountID == nil ? request : nil
  }

  /// Returns the policies of a request without duplicates, each under its own name.
  private static func documents(_ request: TransferRequest) -> [(EffectivePolicy, PolicyDocument)] {
    var found: [(EffectivePolicy, PolicyDocument)] = []
    let policies = [
      request.sender.policy, request.owner.policy, request.receiver.policy, request.appPolicy,
    ]
    for policy in policies.compactMap(\.self) where !found.contains(where: { $0.0 === policy }) {
      let name = "policy \(found.count)"
      found.append(
        (policy, PolicyDocument(displayName: name, file: "p", settings: policy.settings)))
    }
    return found
  }

  @Test func `a request that is written as facts and decided again has the same verdict`() throws {
    var source = RequestSource(seed: 23)
    var channels: Set<Channel> = []
    for _ in 0..<4_000 {
      guard let request = Self.request(&source) else { continue }
      channels.insert(request.channel)
      let documents = Self.documents(request)
      var writer = JSONWriter()
      writer.object { writer in
        request.writeFacts(
          to: &writer,
          policies: .named { policy in
            documents.first { $0.0 === policy }?.1.displayName ?? ""
          })
      }
      var decider = Decider(documents.map(\.1))
      let answer = try decider.explain(writer.text, number: 1)
      let verdict = evaluate(request)
      #expect(answer.verdict.outcome == verdict.outcome, "\(writer.text)")
      #expect(answer.verdict.reasons.map(\.rule) == verdict.reasons.map(\.rule), "\(writer.text)")
      #expect(answer.verdict.reasons.map(\.side) == verdict.reasons.map(\.side), "\(writer.text)")
    }
    #expect(channels == Set(Channel.allCases))
  }
}

/// A request of `sluice decide` that `sluice policy diff` prints is valid and equivalent.
@Suite struct WitnessTests {
  @Test func `the decider confirms both verdicts of each witness request in a policy comparison`()
    throws
  {
    let file = "base.json"
    var old = PolicyDocument(displayName: "old", file: file)
    old.settings.allowedOutboundDataTransferDestinations = .managedApps
    old.settings.allowedInboundDataTransferSources = .managedApps
    old.settings.managedBrowser = .microsoftEdge
    var new = PolicyDocument(displayName: "new", file: file)
    new.settings = Self.strict
    var deciders = (Decider([old]), Decider([new]))
    let flows = PolicyComparison(
      EffectivePolicy(settings: old.settings), EffectivePolicy(settings: new.settings)
    ).flows
    #expect(Set(flows.map(\.channel)).count >= 20)
    for (number, flow) in flows.enumerated() {
      let line = flow.old.request.decideLine
      let before = try deciders.0.explain(line, number: number + 1)
      let after = try deciders.1.explain(line, number: number + 1)
      #expect(before.verdict.outcome == flow.old.outcome, "\(line)")
      #expect(after.verdict.outcome == flow.new.outcome, "\(line)")
      #expect(before.verdict.deciding == flow.old.reason.rule, "\(line)")
      #expect(after.verdict.deciding == flow.new.reason.rule, "\(line)")
      #expect(before.request.endsText == flow.old.request.endsText)
    }
  }

  private static let strict: Settings = {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .none
    settings.allowedInboundDataTransferSources = .none
    settings.allowedOutboundClipboardSharingLevel = .blocked
    settings.allowedOutboundClipboardSharingExceptionLength = 5
    settings.saveAsBlocked = true
    settings.allowedDataStorageLocations = [.box]
    settings.exemptedAppProtocols = ["skype", "mailto"]
    settings.exemptedUniversalLinks = [LinkPattern("https://*.example.com/*")]
    settings.managedBrowser = .microsoftEdge
    settings.dialerRestrictionLevel = .managedApps
    settings.printBlocked = true
    settings.notificationRestriction = .block
    settings.contactSyncBlocked = true
    settings.allowWidgetContentSync = true
    settings.dataBackupBlocked = true
    settings.thirdPartyKeyboardsBlocked = true
    settings.writingToolsConfigurationState = .notBlocked
    return settings
  }()
}

/// Answers of a decider that has the policy `Base`, for mail and notes, and the policy `Open`,
/// without a target.
enum Decisions {
  static let policy = """
    {
      "value": [
        {
          "displayName": "Base",
          "allowedOutboundDataTransferDestinations": "managedApps",
          "allowedInboundDataTransferSources": "managedApps",
          "allowedOutboundClipboardSharingLevel": "managedApps",
          "allowedOutboundClipboardSharingExceptionLength": 8,
          "exemptedAppProtocols": [{ "name": "Default", "value": "skype" }],
          "apps": [
            { "mobileAppIdentifier": { "bundleId": "com.contoso.mail" } },
            { "mobileAppIdentifier": { "bundleId": "com.contoso.notes" } }
          ]
        },
        { "displayName": "Open", "allowedOutboundDataTransferDestinations": "allApps",
          "dialerRestrictionLevel": "customApp", "customDialerAppProtocol": "call", "apps": [] }
      ]
    }
    """

  static func decider() throws -> Decider {
    Decider(try PolicyFiles.read(Array(policy.utf8), file: "policies.json"))
  }

  /// Returns the answer to a request of one line.
  static func answer(_ line: String, number: Int = 1) throws -> JSONValue {
    var decider = try decider()
    let bytes = try decider.answer(line, number: number)
    return try JSONReader.read(String(decoding: bytes, as: UTF8.self))
  }

  /// Returns the error of a request of one line; nil if the request is valid.
  static func complaint(_ line: String, number: Int = 1) throws -> String? {
    do {
      _ = try answer(line, number: number)
      return nil
    } catch let error as RunError {
      return error.description
    }
  }
}
