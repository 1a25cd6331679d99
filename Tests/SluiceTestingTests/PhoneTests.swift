import DeviceClient
import Encodings
import Foundation
import Model
import TestSupport
import Testing

@testable import SluiceTesting

/// Tests phones with ready-made apps and `bin/sluice`, each on its own device.
@Suite(.ownThreads, .timeLimit(.minutes(15))) struct PhoneTests {
  private let workspace: Workspace

  init() throws {
    workspace = try Workspace()
    try workspace.write("// swift-tools-version: 6.1\n", to: "Package.swift")
    try workspace.write(Self.scenario, to: "phone.yaml")
  }

  private static let scenario = """
    accounts:
      anna: { upn: anna@contoso.com }
      bob: { upn: bob@contoso.com }
    policies:
      base:
        json:
          displayName: Org data stays in managed apps
          allowedOutboundDataTransferDestinations: managedApps
        assign: [{ account: anna, apps: [com.contoso.mail] }]
      open:
        json: { displayName: Org data may go anywhere, appGroupType: allApps }
    apps:
      mail: { bundle: com.contoso.mail, sdk: true, multiIdentity: true, schemes: [mail] }
      viewer: { bundle: org.example.viewer }
    steps: [{ wait: idle }]

    """

  /// Starts the phone of the workspace, as a test of the package in that folder does.
  private func phone(_ scenario: String? = nil) async throws -> Phone {
    try await Phone(scenario, file: workspace.path("Tests/MailTests/MailTests.swift"))
  }

  private func error(
    sourceLocation: SourceLocation = #_sourceLocation, of body: () async throws -> Void
  ) async throws -> String {
    let error = await #expect(throws: PhoneError.self, sourceLocation: sourceLocation) {
      try await body()
    }
    return try #require(error?.description, sourceLocation: sourceLocation)
  }

  // MARK: Calls of the SDK

  @Test func `a wait for a status returns after the account is enrolled`() async throws {
    let phone = try await phone()
    let mail = try await phone.launch("mail")
    try await phone.enroll("anna", in: mail)
    let call = try await mail.received(.newPoliciesReceived, for: "anna")
    #expect(call.call == .enrollment(.newPoliciesReceived))
    #expect(call.account == "anna@contoso.com")
    try await phone.apply(policy: "open", to: "anna")
    try await mail.received(.policyDidChange, for: "anna")
  }

  @Test func `a wipe calls wipeData and then posts wipeDidComplete to the app`() async throws {
    let phone = try await phone()
    let mail = try await phone.launch("mail")
    try await phone.enroll("anna", in: mail)
    try await phone.wipe("anna", in: mail)
    try await mail.received(.wipeData, for: "anna")
    try await mail.received(.wipeDidComplete, for: "anna")
  }

  @Test func `each notification of the SDK satisfies only one wait`() async throws {
    let phone = try await phone()
    let mail = try await phone.launch("mail")
    try await phone.enroll("anna", in: mail)
    try await mail.received(.newPoliciesReceived)
    let text = try await error {
      try await mail.received(.newPoliciesReceived, for: "anna", within: .zero)
    }
    #expect(text.hasPrefix("no status newPoliciesReceived (100) for anna reached mail\n"))
    #expect(
      text.contains("  enrollmentRequest(with:) newPoliciesReceived anna@contoso.com\n"), "\(text)")
  }

  @Test func `a wait for an SDK call ignores calls for other accounts and apps`() async throws {
    let phone = try await phone()
    let mail = try await phone.launch("mail")
    try await phone.enroll("anna", in: mail)
    for (app, account) in [("mail", "bob"), ("viewer", "anna")] {
      _ = try await error {
        try await phone.app(app).received(.newPoliciesReceived, for: account, within: .zero)
      }
    }
    try await mail.received(.newPoliciesReceived, for: "anna")
  }

  @Test func `notifications about encryption and allowed accounts are recorded`() async throws {
    try workspace.write(
      "device: { mdm: { enrolled: true } }\n"
        + Self.scenario.replacing("sdk: true,", with: "sdk: true, mdmManaged: true,"),
      to: "managed.yaml")
    let phone = try await phone("managed.yaml")
    let mail = try await phone.launch("mail")
    try await phone.enroll("anna", in: mail)
    try await phone.save(
      policy: "base",
      json: #"{"displayName": "Encrypts", "appDataEncryptionType": "whenDeviceLocked"}"#)
    let change = try await mail.received(.dataProtectionDidChange, for: "anna")
    #expect(change.call == .notification(.dataProtectionDidChange))
    try await phone.step(
      "configure: { app: mail, configuration: { IntuneMAMAllowedAccountsOnly: Enabled, IntuneMAMUPN: anna@contoso.com } }"
    )
    #expect(try await mail.received(.allowedAccountsDidChange).account == "")
  }

  // MARK: Verdicts

  @Test func `a verdict's description names the deciding rule, its setting and a proposed change`()
    async throws
  {
    let phone = try await phone()
    let mail = try await phone.launch("mail")
    let viewer = try await phone.launch("viewer")
    try await phone.enroll("anna", in: mail)
    let share = try await mail.share("Figures", with: viewer, as: "anna")
    #expect(share.verdict == .blocked)
    #expect(share.verdict.rule == "sendManagedAppsToUnmanaged")
    #expect(share.end == .refused && share.received == nil)
    let text = "\(share.verdict)"
    for part in [
      "blocked\n", "share blocked by sendManagedAppsToUnmanaged, refused",
      "Send org data to other apps: Policy managed apps",
      "for another answer: `Send org data to other apps` = `All apps`",
    ] {
      #expect(text.contains(part), "\(text)")
    }
    let encrypted = try await mail.share("Figures", with: viewer, via: .os, as: "anna")
    #expect(encrypted.verdict == .encrypted && encrypted.end == .deliveredEncrypted)
  }

  @Test
  func `after a switch of identity, the app's requests act for the new account`()
    async throws
  {
    let phone = try await phone()
    let mail = try await phone.launch("mail")
    let viewer = try await phone.launch("viewer")
    try await phone.enroll("anna", in: mail)
    let before = try await mail.share("Lunch", with: viewer)
    #expect(before.verdict == .allowed && before.received == "Lunch")
    #expect(try await mail.act(for: "anna").identity == "anna")
    #expect(try await mail.share("Figures", with: viewer).verdict == .blocked)
  }

  @Test func `copying, pasting and opening a URL return the device's results`() async throws {
    let phone = try await phone()
    let mail = try await phone.launch("mail")
    let viewer = try await phone.launch("viewer")
    #expect(try await viewer.copy("Lunch").verdict == .allowed)
    #expect(try await viewer.paste().received == "Lunch")
    #expect(try await viewer.open("mail:compose").end == .delivered)
    try await viewer.stop()
    #expect(try await phone.launch("viewer").paste().received == "Lunch")
    try await mail.stop()
  }

  @Test func `a step without a request has no verdict`() async throws {
    let outcome = try await phone().step("advance: P1D")
    #expect(outcome.verdict == .none && outcome.end == nil)
    #expect("\(outcome.verdict)".hasPrefix("no decision"))
  }

  // MARK: Policies

  @Test func `a share's verdict changes with another policy, changed settings or no policy`()
    async throws
  {
    let phone = try await phone()
    let mail = try await phone.launch("mail")
    let viewer = try await phone.launch("viewer")
    try await phone.enroll("anna", in: mail)
    let share = { try await mail.share("Figures", with: viewer, as: "anna").verdict }
    #expect(try await share() == .blocked)
    try await phone.apply(policy: "open", to: "anna")
    #expect(try await share() == .allowed)
    try await phone.save(
      policy: "open",
      json: """
        { "displayName": "Open", "appGroupType": "allApps",
          "allowedOutboundDataTransferDestinations": "none" }
        """)
    #expect(try await share() == .blocked)
    try await phone.apply(policy: nil, to: "anna")
    #expect(try await share() == .allowed)
  }

  @Test func `a phone with a single account needs no account name in calls`() async throws {
    let several = try await phone()
    for text in [
      try await error { try await several.apply(policy: "open") },
      try await error { try await several.wipe() },
    ] {
      #expect(text == "the scenario has several accounts; name one of anna, bob")
    }
    try workspace.write(
      Self.scenario.replacingOccurrences(of: "  bob: { upn: bob@contoso.com }\n", with: ""),
      to: "one.yaml")
    let phone = try await phone("one.yaml")
    let mail = try await phone.launch("mail")
    try await phone.enroll("anna", in: mail)
    try await phone.apply(policy: "open")
    try await phone.wipe()
    try await mail.received(.wipeDidComplete, for: "anna")
  }

  // MARK: Errors

  @Test func `a misspelled name is an error with a suggestion`() async throws {
    let phone = try await phone()
    let text = try await error { _ = try await phone.launch("mial") }
    #expect(text == "no app is called `mial`; did you mean `mail`?")
    let unknown = try await error {
      try await phone.app("mail").received(.newPoliciesReceived, for: "ana")
    }
    #expect(unknown == "no account is called `ana`; the accounts are anna, bob")
  }

  @Test func `an unmet expectation is an error with the step's report`() async throws {
    let phone = try await phone()
    try await phone.step("launch: [mail, viewer]")
    let text = try await error {
      try await phone.step(
        "{ share: { from: mail, to: viewer, text: Lunch }, expect: { verdict: blocked } }")
    }
    #expect(text.contains("share allowed by noRuleApplied, delivered"))
    #expect(text.contains("expected verdict blocked, found verdict allowed"))
  }

  @Test func `an invalid or missing scenario is an error`() async throws {
    try workspace.write("apps: { mail: { bundel: com.contoso.mail } }\n", to: "wrong.yaml")
    let text = try await error { _ = try await phone("wrong.yaml") }
    #expect(text.contains("wrong.yaml:1:17: error:") && text.contains("`bundle`"), "\(text)")
    let several = try await error { _ = try await phone() }
    #expect(
      several
        == "`\(workspace.path)` must have exactly one scenario, found phone.yaml, wrong.yaml; "
        + "name one: `Phone(\"phone.yaml\")`")
    let missing = try await error { _ = try await phone("missing.yaml") }
    #expect(missing.contains("missing.yaml"))
    let elsewhere = try await error { _ = try await Phone(file: "/nowhere/Tests.swift") }
    #expect(elsewhere == "no folder above `/nowhere/Tests.swift` has a Package.swift")
  }

  // MARK: Devices

  @Test func `idle control connections do not displace the connection of a phone`() async throws {
    let scenario = workspace.path("phone.yaml")
    let device = try await DeviceProcess.start(Repository.programs + "/sluice", scenario)
    // The device keeps eight connections of a process that have made no request.
    let silent = try (0..<9).map { _ in try ControlConnection(device.socket) }
    let last = try ControlConnection(device.socket)
    #expect(try last.call("status")["result"] != nil)
    #expect(try await device.call("apps")["apps"]?.array?.count == 2)
    withExtendedLifetime(silent) {}
  }

  @Test func `when the device ends, pending calls and waits fail with an error`() async throws {
    let phone = try await phone()
    let mail = try await phone.launch("mail")
    let waiting = Task { try await mail.received(.newPoliciesReceived, for: "anna") }
    #expect(try await phone.device.call("down")["down"]?.bool == true)
    let wait = try await error { _ = try await waiting.value }
    let isEnd = { (text: String) in
      text == "the device is shutting down" || text.hasPrefix("the device has exited: ")
    }
    #expect(isEnd(wait))
    let text = try await error { try await mail.stop() }
    #expect(isEnd(text))
  }

  @Test func `phones of parallel tests do not share state`() async throws {
    let scenario = workspace.path("phone.yaml")
    try await withThrowingTaskGroup(of: [String].self) { group in
      for account in ["anna", "bob", "anna", "bob"] {
        group.addTask {
          let phone = try await Phone(scenario)
          try await phone.enroll(account, in: phone.launch("mail"))
          let upns = try await phone.events().compactMap { event in
            if case .accountSignedIn(_, let account, _) = event.kind { account } else { nil }
          }
          return [account] + upns
        }
      }
      for try await names in group { #expect(names == [names[0], "\(names[0])@contoso.com"]) }
    }
  }

  @Test func `a device ends when its phone is released`() async throws {
    var phone: Phone? = try await phone()
    let socket = try #require(phone?.device.socket)
    let status = try await phone?.device.call("status")
    let process = try #require(status?["process"]?.int)
    let folder = try #require(status?["folder"]?.string)
    #expect(Self.isRunning(process))
    #expect(FileManager.default.fileExists(atPath: socket))
    phone = nil
    try waitUntil("the device has ended") { !Self.isRunning(process) }
    #expect(!FileManager.default.fileExists(atPath: socket))
    #expect(!FileManager.default.fileExists(atPath: "\(folder)/.."))
  }

  /// Returns whether a process exists and is not a zombie.
  private static func isRunning(_ process: Int) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    return status.map { !$0.contains(") Z ") } ?? false
  }
}

/// Tests waits for calls without a device.
struct CallLogTests {
  private let log = CallLog()

  init() {
    add(.guestStarted(guest: "mail", app: "com.contoso.mail", team: nil))
    add(.guestReady(guest: "mail"))
  }

  private func add(_ kind: JournalEvent.Kind) {
    log.add(JournalEvent(sequence: 1, time: 0, kind: kind))
  }

  private func answer(_ status: EnrollmentStatus) {
    add(
      .enrollmentAnswered(
        app: "com.contoso.mail", account: "anna", request: "enrollment", status: status))
  }

  private func next(
    within limit: Duration = .seconds(600),
    _ matches: @escaping @Sendable (RecordedSDKCall) -> Bool = { _ in true }
  ) async -> EnrollmentStatus? {
    await log.next(within: limit, matches)?.call.enrollmentStatus
  }

  @Test func `each recorded SDK call satisfies one wait, in order`() async {
    answer(.noPolicyReceived)
    answer(.newPoliciesReceived)
    #expect(await next() == .noPolicyReceived)
    #expect(await next() == .newPoliciesReceived)
    #expect(await next(within: .zero) == nil)
  }

  @Test func `a wait ends at the first SDK call that matches it`() async {
    async let found = next { $0.call == .enrollment(.newPoliciesReceived) }
    answer(.noPolicyReceived)
    answer(.newPoliciesReceived)
    #expect(await found == .newPoliciesReceived)
    #expect(await next(within: .zero) == .noPolicyReceived)
  }

  @Test func `a wait ends if the device ends or the task is cancelled`() async {
    let waiting = Task { await log.next(within: .seconds(600)) { _ in false } }
    waiting.cancel()
    #expect(await waiting.value == nil)
    async let other = next { _ in false }
    log.end()
    #expect(await other == nil)
  }
}
