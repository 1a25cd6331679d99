import Encodings
import Foundation
import GraphDocuments
import Model
import Policy
import Synchronization
import TestSupport
import Testing

@testable import Studio

/// Tests trying answers on an in-memory device that behaves like a running device.
struct TryTests {
  private let folder: Workspace

  init() throws { folder = try Workspace() }

  private static func settings() -> Settings {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    return settings
  }

  private func session(
    on device: MemoryDevice?, _ files: [[UInt8]] = [policyFile(settings())]
  ) throws -> StudioSession {
    let drafts = try files.enumerated().map { number, bytes in
      try PolicyDraft(bytes, file: number == 0 ? "exports/base.json" : "exports/\(number).json")
    }
    let running = device.map {
      StudioDevice(name: "iPhone", folder: folder.path, calling: $0.call)
    }
    return StudioSession(Workbench(drafts), on: running) { _ in nil }
  }

  private func ask(
    _ session: StudioSession, _ path: String, _ members: String = "", revision: Int = 0
  ) throws -> JSONValue {
    let more = members.isEmpty ? "" : ", \(members)"
    let body = #"{"policy": 0, "revision": \#(revision)\#(more)}"#
    return try JSONReader.read(try #require(session.answer(path, body), "\(path) \(members)"))
  }

  /// Returns the members of a request about a cell.
  private func cell(
    _ row: String, _ column: String, in state: ManagementState = .unenrolled,
    of session: StudioSession
  ) throws -> String {
    let sections = try ask(session, "state")["sections"]?.array ?? []
    for (number, section) in sections.enumerated() {
      let rows = section["rows"]?.array?.map { $0["title"]?.string } ?? []
      let columns = section["columns"]?.array?.map(\.string) ?? []
      if let row = rows.firstIndex(of: row), let column = columns.firstIndex(of: column) {
        return #"""
          "section": \#(number), "row": \#(row), "column": \#(column), "state": "\#(state.rawValue)"
          """#
      }
    }
    throw Missing(cell: "\(row), \(column)")
  }

  private struct Missing: Error { let cell: String }

  private static let share = ("Share, by the SDK", "managed -> unmanaged")

  private func shareCell(of session: StudioSession) throws -> String {
    try cell(Self.share.0, Self.share.1, of: session)
  }

  private static func texts(_ value: JSONValue?) -> [String] {
    value?.array?.compactMap(\.string) ?? []
  }

  // MARK: Steps

  @Test(
    arguments: [
      (
        "Share, by the SDK", "managed -> unmanaged",
        [
          "launch: [mail, viewer]", "switchIdentity: { app: mail, to: anna }",
          #"share: { from: mail, to: viewer, text: "Tried in the workbench" }"#,
        ]
      ),
      (
        "Share, by the system", "unmanaged -> managed",
        [
          "launch: [viewer, mail]", "switchIdentity: { app: mail, to: anna }",
          #"share: { from: viewer, to: mail, text: "Tried in the workbench", via: os }"#,
        ]
      ),
      (
        "Open in, by the SDK", "managed -> same account",
        [
          "launch: [mail, notes]", "switchIdentity: { app: mail, to: anna }",
          #"share: { from: mail, to: notes, text: "Tried in the workbench", openIn: true }"#,
        ]
      ),
      (
        "Drag and drop, by the SDK", "managed -> other org",
        [
          "launch: [mail, partner]", "switchIdentity: { app: mail, to: anna }",
          #"drop: { from: mail, to: partner, text: "Tried in the workbench" }"#,
        ]
      ),
      (
        "Import, by the SDK", "managed -> unmanaged",
        [
          "launch: [viewer, mail]", "switchIdentity: { app: mail, to: anna }",
          "import: { into: viewer, from: mail }",
        ]
      ),
      (
        "Paste", "managed -> unmanaged",
        [
          "launch: [mail, viewer]", "switchIdentity: { app: mail, to: anna }",
          "copy: { app: mail, text: x }", "paste: { app: viewer }",
        ]
      ),
      (
        "App's own scheme, acme:", "managed -> unmanaged app",
        [
          "launch: [mail, viewer]", "switchIdentity: { app: mail, to: anna }",
          #"openURL: { from: mail, url: "acme://open" }"#,
        ]
      ),
      (
        "Print", "managed account",
        [
          "launch: [mail]", "switchIdentity: { app: mail, to: anna }",
          "use: { app: mail, feature: print }",
        ]
      ),
      (
        "Print", "personal account",
        [
          "launch: [mail]", "switchIdentity: { app: mail, to: private }",
          "use: { app: mail, feature: print }",
        ]
      ),
      (
        "OneDrive for Business", "managed -> own account",
        [
          "launch: [mail]", "switchIdentity: { app: mail, to: anna }",
          "saveTo: { from: mail, location: oneDriveForBusiness, account: anna }",
        ]
      ),
    ])
  func `to try a cell, studio runs steps in apps of the running device`(
    row: String, column: String, steps: [String]
  ) throws {
    let device = MemoryDevice()
    let session = try session(on: device)
    let cell = try cell(row, column, of: session)
    let offer = try ask(session, "device", cell)
    #expect(offer["reason"] == nil)
    #expect(Self.texts(offer["steps"]) == Array(steps.dropFirst(2)))
    #expect(device.steps.isEmpty, "looking changes nothing")
    let answer = try ask(session, "try", cell)
    #expect(answer["error"] == nil, "\(answer.line)")
    #expect(answer["outcome"]?.string == "blocked")
    #expect(answer["rule"]?.string == MemoryDevice.rule)
    #expect(
      device.steps
        == ["savePolicy: { policy: base, file: \"\(folder.path("1-base.json"))\" }"] + steps)
  }

  @Test func `running apps that already act for the account are used unchanged`() throws {
    let device = MemoryDevice()
    device.change { device in
      device.apps[0].identity = "anna"
      for index in device.apps.indices { device.apps[index].state = "running" }
      device.apps[3].state = "suspended"
    }
    let session = try session(on: device)
    let cell = try shareCell(of: session)
    let offer = try ask(session, "device", cell)
    #expect(
      Self.texts(offer["effects"]) == [
        "Its policy base becomes the draft, for all accounts that have the policy.",
        "It resumes viewer.",
      ])
    _ = try ask(session, "try", cell)
    #expect(
      device.steps.dropFirst() == [
        "resume: [viewer]",
        #"share: { from: mail, to: viewer, text: "Tried in the workbench" }"#,
      ])
  }

  @Test func `studio lists the changes to the device before a cell is tried`() throws {
    let device = MemoryDevice()
    let session = try session(on: device)
    let offer = try ask(session, "device", try shareCell(of: session))
    #expect(offer["policy"]?.string == "base")
    #expect(Self.texts(offer["policies"]) == ["base", "other"])
    #expect(
      Self.texts(offer["effects"]) == [
        "Its policy base becomes the draft, for all accounts that have the policy.",
        "It starts mail.", "It starts viewer.", "mail then acts for anna.",
      ])
  }

  // MARK: Obstacles

  @Test(
    arguments: [
      (
        "Share, by the SDK", "managed -> unmanaged", ["viewer"],
        "the device has no unmanaged app"
      ),
      (
        "Share, by the SDK", "managed -> unmanaged", ["mail", "notes", "partner"],
        "no app of the device has an account that a policy protects"
      ),
      (
        "Share, by the SDK", "managed -> same account", ["notes"],
        "no second app of the device has the same protected account"
      ),
      (
        "Share, by the SDK", "managed -> other org", ["partner"],
        "no other app of the device has a protected account of another organisation"
      ),
      (
        "Import, by the SDK", "unmanaged -> managed", [],
        "no matching app of the device offers an item to import"
      ),
      (
        "Print", "personal account", ["mail"],
        "no managed app of the device also has a personal account"
      ),
      (
        "OneDrive for Business", "managed -> other org", [],
        "no app of the device has protected accounts of two organisations"
      ),
      (
        "App's own scheme, acme:", "managed -> managed app", [],
        "no app of the device with the same protected account claims `acme:` and `acme-intunemam:`"
      ),
      (
        "Universal link", "managed -> unmanaged app", [],
        "no unmanaged app of the device claims `applinks:www.example.org`"
      ),
      (
        "Web view, unmanaged", "managed account", [],
        "no managed app of the device has the web views `unmanaged`"
      ),
      (
        "Extension result, by the SDK", "managed -> unmanaged", [],
        "the answer depends on an item that the extension received earlier"
      ),
      (
        "Drag and drop, by the system", "managed -> unmanaged", [],
        "the step `drop` uses only the SDK's own path"
      ),
    ])
  func `studio does not offer to try a transfer that the device's apps cannot carry out`(
    row: String, column: String, missing: [String], reason: String
  ) throws {
    let device = MemoryDevice()
    device.change { device in device.apps.removeAll { missing.contains($0.name) } }
    let session = try session(on: device)
    let cell = try cell(row, column, of: session)
    #expect(try ask(session, "device", cell)["reason"]?.string == reason)
    #expect(try ask(session, "try", cell)["error"]?.string == reason)
    #expect(device.steps.isEmpty)
  }

  @Test(arguments: [(100, true), (65_000, true), (65_001, false), (65_535, false)])
  func `a cell whose text exceeds a step's limit cannot be tried on the device`(
    length: Int, isOffered: Bool
  ) throws {
    var settings = Settings()
    settings.allowedOutboundClipboardSharingLevel = .managedApps
    settings.allowedOutboundClipboardSharingExceptionLength = length
    let device = MemoryDevice()
    let session = try session(on: device, [policyFile(settings)])
    let cell = try cell("Paste, \(length) characters", "managed -> unmanaged", of: session)
    let reason = "a step on a running device copies at most 65000 characters"
    #expect(try ask(session, "device", cell)["reason"]?.string == (isOffered ? nil : reason))
    let answer = try ask(session, "try", cell)
    #expect(answer["error"]?.string == (isOffered ? nil : reason))
    #expect(device.steps.isEmpty != isOffered)
  }

  @Test func `a cell for another device state cannot be tried on the device`() throws {
    let device = MemoryDevice()
    let policy = #"{ "displayName": "Enrolled", "targetedAppManagementLevels": "mdm" }"#
    let session = try session(on: device, [Array(policy.utf8)])
    let other = try cell(Self.share.0, Self.share.1, in: .enrolled, of: session)
    #expect(
      try ask(session, "device", other)["reason"]?.string
        == "the answer applies to another device state: expected enrolled with IntuneMAMUPN, found "
        + "device not enrolled")
  }

  @Test func `every cell has steps, or a reason why it cannot be tried`() throws {
    let device = MemoryDevice()
    let session = try session(on: device)
    var counts = (steps: 0, reasons: 0)
    for (number, section) in (try ask(session, "state")["sections"]?.array ?? []).enumerated() {
      for (row, line) in (section["rows"]?.array ?? []).enumerated() {
        for (column, entry) in (line["entries"]?.array ?? []).enumerated() {
          for answer in entry.array ?? [] {
            let state = answer["states"]?.array?.first?.string ?? ""
            let cell =
              #""section": \#(number), "row": \#(row), "column": \#(column), "state": "\#(state)""#
            let offer = try ask(session, "device", cell)
            let hasSteps = !Self.texts(offer["steps"]).isEmpty
            #expect(hasSteps != (offer["reason"] != nil), "\(cell)")
            if hasSteps { counts.steps += 1 } else { counts.reasons += 1 }
          }
        }
      }
    }
    #expect(counts.steps > 50 && counts.reasons > 5, "\(counts)")
  }

  // MARK: Answers

  private func tried(_ session: StudioSession) throws -> String? {
    let entries = try ask(session, "state")["sections"]?.array?[0]["rows"]?.array?[0]["entries"]
    return entries?.array?[2].array?[0]["tried"]?.string
  }

  @Test func `a studio cell shows the device's answer until the draft's settings change`() throws {
    let device = MemoryDevice()
    device.change { $0.verdict = "allowed" }
    let session = try session(on: device)
    #expect(try tried(session) == nil)
    let answer = try ask(session, "try", try shareCell(of: session))
    #expect(answer["computed"]?.string == "blocked")
    #expect(answer["outcome"]?.string == "allowed")
    #expect(
      answer["title"]?.string == "Share, by the SDK, managed -> unmanaged, device not enrolled")
    #expect(answer["computedRule"]?.string == "sendManagedAppsToUnmanaged")
    #expect(answer["text"]?.string == "the device says so")
    #expect(try tried(session) == "allowed")
    _ = try ask(session, "change", #""line": "Printing Org data", "value": "Block""#)
    #expect(try tried(session) == nil)
    _ = try ask(session, "undo", revision: 1)
    #expect(try tried(session) == "allowed")
  }

  @Test func `studio sends a draft to the device again only if draft or device changed`() throws {
    let device = MemoryDevice()
    let session = try session(on: device)
    let cell = try shareCell(of: session)
    for _ in 0..<2 { _ = try ask(session, "try", cell) }
    let first = folder.path("1-base.json")
    #expect(device.savings == ["{ policy: base, file: \"\(first)\" }"])
    #expect(
      try folder.read("1-base.json") == String(decoding: policyFile(Self.settings()), as: UTF8.self)
    )
    let offer = try ask(session, "device", cell)
    #expect(Self.texts(offer["effects"]) == ["Its policy base already is the draft."])
    _ = try ask(session, "change", #""line": "Printing Org data", "value": "Block""#)
    _ = try ask(session, "try", cell, revision: 1)
    #expect(device.savings.count == 2)
    let second = try PolicyReader.read(
      Array(try folder.read("2-base.json").utf8), file: "2-base.json")
    #expect(second.map(\.settings.printBlocked) == [true])
    // Another client has changed the device's policy.
    device.change { $0.saved["base"] = "theirs.json" }
    _ = try ask(session, "try", cell, revision: 1)
    #expect(device.savings.count == 3)
  }

  @Test
  func `the draft replaces the chosen policy, by default the policy with the draft's file name`()
    throws
  {
    let device = MemoryDevice()
    device.change { $0.policies = [("other", nil), ("base", "policies/base.json")] }
    let session = try session(on: device)
    let cell = try shareCell(of: session)
    #expect(try ask(session, "device", cell)["policy"]?.string == "base")
    _ = try ask(session, "try", cell + #", "replacing": "other""#)
    #expect(device.savings == ["{ policy: other, file: \"\(folder.path("1-base.json"))\" }"])
    let unknown = try ask(session, "try", cell + #", "replacing": "gone""#)
    #expect(unknown["error"]?.string == "the device has no policy `gone`")
  }

  @Test(
    arguments: [
      (nil, ["launch: [partner, viewer]"], "partner"),
      ("base", ["launch: [partner, viewer]"], "partner"),
      ("other", ["launch: [mail, viewer]", "switchIdentity: { app: mail, to: anna }"], "mail"),
    ] as [(String?, [String], String)])
  func `a cell is tried with an account that the replaced policy protects`(
    replacing: String?, first: [String], sender: String
  ) throws {
    let device = MemoryDevice()
    device.change { device in
      device.policies = [("unused", nil), ("base", nil), ("other", nil)]
      device.targets = ["anna": ["other"], "carl": ["base"]]
    }
    let session = try session(on: device)
    let cell = try shareCell(of: session) + (replacing.map { #", "replacing": "\#($0)""# } ?? "")
    #expect(try ask(session, "device", cell)["policy"]?.string == replacing ?? "base")
    let answer = try ask(session, "try", cell)
    #expect(answer["error"] == nil, "\(answer.line)")
    #expect(
      Array(device.steps.dropFirst())
        == first + [#"share: { from: \#(sender), to: viewer, text: "Tried in the workbench" }"#])
  }

  @Test func `a try under a policy that protects no account fails and offers the other policies`()
    throws
  {
    let device = MemoryDevice()
    device.change { $0.targets = ["anna": ["other"], "carl": ["other"]] }
    let session = try session(on: device)
    let cell = try shareCell(of: session) + #", "replacing": "base""#
    let reason = "no app of the device has an account that the policy `base` protects"
    let offer = try ask(session, "device", cell)
    #expect(offer["reason"]?.string == reason)
    #expect(offer["steps"] == nil)
    #expect(offer["policy"]?.string == "base")
    #expect(Self.texts(offer["policies"]) == ["base", "other"])
    #expect(try ask(session, "try", cell)["error"]?.string == reason)
    #expect(device.steps.isEmpty)
  }

  @Test func `studio tries a transfer between organisations with the protected account as sender`()
    throws
  {
    let device = MemoryDevice()
    device.change { $0.targets = ["anna": ["other"], "carl": ["base"]] }
    let session = try session(on: device)
    let cell = try cell("Share, by the SDK", "managed -> other org", of: session)
    _ = try ask(session, "try", cell)
    #expect(
      device.steps.last
        == #"share: { from: partner, to: mail, text: "Tried in the workbench" }"#)
  }

  @Test func `if a file has several policies, only the draft's policy is sent to the device`()
    throws
  {
    let both = [policyFile(Self.settings(), named: "One"), policyFile(Settings(), named: "Two")]
      .map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
    let device = MemoryDevice()
    let session = try session(on: device, [Array("[\(both)]".utf8)])
    _ = try ask(session, "try", try shareCell(of: session))
    let documents = try PolicyReader.read(
      Array(try folder.read("1-base.json").utf8), file: "1-base.json")
    #expect(documents.map(\.displayName) == ["One"])
  }

  // MARK: Putting back

  @Test(arguments: [nil, "policies/stricter.json"])
  func `studio can restore the policy that the device had before the draft`(previous: String?)
    throws
  {
    let device = MemoryDevice()
    device.change { $0.saved["base"] = previous }
    let session = try session(on: device)
    let none = try ask(session, "putBack")
    #expect(none["error"]?.string == "the device has no draft")
    let cell = try shareCell(of: session)
    _ = try ask(session, "try", cell)
    _ = try ask(session, "change", #""line": "Printing Org data", "value": "Block""#)
    _ = try ask(session, "try", cell, revision: 1)
    #expect(Self.texts(try ask(session, "state")["device"]?["applied"]) == ["base"])
    let state = try ask(session, "putBack", revision: 1)
    #expect(state["device"]?["name"]?.string == "iPhone")
    #expect(Self.texts(state["device"]?["applied"]) == [])
    let file = previous.map { ", file: \"\($0)\"" } ?? ""
    #expect(device.savings.last == "{ policy: base\(file) }")
    #expect(device.savings.count == 3)
  }

  @Test
  func `the previous policy is not restored if another client has replaced the draft`() throws {
    let device = MemoryDevice()
    let session = try session(on: device)
    _ = try ask(session, "try", try shareCell(of: session))
    device.change { $0.saved["base"] = "theirs.json" }
    let answer = try ask(session, "putBack")
    #expect(
      answer["error"]?.string
        == "`base`: not put back, because the device no longer has the draft")
    #expect(device.savings.count == 1)
    #expect(Self.texts(try ask(session, "state")["device"]?["applied"]) == [])
  }

  // MARK: Errors

  @Test func `requests to studio fail with a reason if the device no longer answers`() throws {
    let device = MemoryDevice()
    let session = try session(on: device)
    let cell = try shareCell(of: session)
    _ = try ask(session, "try", cell)
    device.change { $0.isGone = true }
    for path in ["device", "try", "putBack"] {
      #expect(
        try ask(session, path, cell)["error"]?.string
          == "the device iPhone does not answer; try again if it is busy, or start it again with `sluice up`",
        "\(path)")
    }
    #expect(Self.texts(try ask(session, "state")["device"]?["applied"]) == ["base"])
  }

  @Test(
    arguments: [
      ("savePolicy", "`1-base.json` is not a policy", false),
      ("launch", "`viewer` has exited", true),
      ("share", "`viewer` is not running", true),
    ])
  func `studio reports a try whose step fails on the device`(
    step: String, failure: String, hasDraft: Bool
  )
    throws
  {
    let device = MemoryDevice()
    device.change { $0.failures[step] = failure }
    let session = try session(on: device)
    let message = try ask(session, "try", try shareCell(of: session))["error"]?.string ?? ""
    #expect(message.hasPrefix("the device did not carry out `\(step): "))
    #expect(message.hasSuffix(": \(failure)"))
    #expect(try tried(session) == nil)
    #expect(
      Self.texts(try ask(session, "state")["device"]?["applied"]) == (hasDraft ? ["base"] : []))
  }

  @Test func `a draft that protects no app of the device is reported`() throws {
    let device = MemoryDevice()
    device.change { $0.isProtecting = false }
    let session = try session(on: device)
    #expect(
      try ask(session, "try", try shareCell(of: session))["error"]?.string
        == "with the draft, no app of the device has an account that a policy protects")
    #expect(Self.texts(try ask(session, "state")["device"]?["applied"]) == ["base"])
  }

  @Test func `trying a cell fails if the URL opens in a different kind of app`() throws {
    let device = MemoryDevice()
    device.change {
      $0.receiver = #"{"guest": "notes", "app": "com.contoso.notes", "managed": true}"#
    }
    let session = try session(on: device)
    let cell = try cell("App's own scheme, acme:", "managed -> unmanaged app", of: session)
    #expect(
      try ask(session, "try", cell)["error"]?.string
        == "the device opened the URL in notes, which is a managed app")
  }

  @Test func `the policies of an export are not replaced on the device`() throws {
    let device = MemoryDevice()
    device.change { $0.tenant = "exports" }
    let session = try session(on: device)
    let reason =
      "an export assigns the device's policies; only a policy that a scenario states can be replaced"
    let cell = try shareCell(of: session)
    #expect(try ask(session, "device", cell)["reason"]?.string == reason)
    #expect(try ask(session, "try", cell)["error"]?.string == reason)
    #expect(device.steps.isEmpty)
  }

  @Test func `a page that shows an outdated draft cannot try a cell`() throws {
    let device = MemoryDevice()
    let session = try session(on: device)
    let cell = try shareCell(of: session)
    _ = try ask(session, "change", #""line": "Printing Org data", "value": "Block""#)
    #expect(
      try ask(session, "try", cell)["error"]?.string
        == "another page has changed the draft; select the answer again")
    #expect(device.steps.isEmpty)
  }

  @Test func `malformed requests to studio about a device are rejected`() throws {
    let session = try session(on: MemoryDevice())
    for body in [
      "", "[]", "{}", #"{"policy": 9, "revision": 0}"#, #"{"policy": 0, "revision": 0}"#,
    ] {
      #expect(session.answer("try", body) == nil, "\(body)")
      #expect(session.answer("device", body) == nil, "\(body)")
    }
  }

  @Test func `studio without a device rejects requests about a device`() throws {
    let session = try session(on: nil)
    #expect(session.deviceRoutes.isEmpty)
    for path in DeviceRequest.allCases.map(\.rawValue) {
      #expect(session.answer(path, #"{"policy": 0, "revision": 0}"#) == nil)
    }
    #expect(try ask(session, "state")["device"] == nil)
  }
}

// MARK: - Device

/// A device without processes. It answers as `docs/schema/control.schema.json` describes.
private final class MemoryDevice: Sendable {
  static let rule = "sendManagedAppsToUnmanaged"

  struct State {
    var apps = [
      App("mail", "com.contoso.mail", [("anna", true), ("private", false)]),
      App("notes", "com.contoso.notes", [("anna", true)], identity: "anna"),
      App("partner", "com.fabrikam.notes", [("carl", true)], identity: "carl"),
      App("viewer", "org.example.viewer", nil, schemes: ["acme"]),
    ]
    var policies: [(name: String, file: String?)] = [("base", nil), ("other", nil)]
    /// The policies that target accounts, keyed by account name; nil for all policies.
    var targets: [String: [String]]?
    var saved: [String: String] = [:]
    var tenant: String?
    var steps: [String] = []
    var isGone = false
    /// Whether policies that steps save protect accounts.
    var isProtecting = true
    /// The failures of steps, keyed by step keyword.
    var failures: [String: String] = [:]
    var verdict = "blocked"
    /// The receiver of requests, as JSON.
    var receiver = "null"
  }

  struct App {
    var name: String
    var bundle: String
    /// The accounts, and whether they are protected; nil for an app without the SDK.
    var accounts: [(name: String, isProtected: Bool)]?
    var identity: String
    var schemes: [String]
    var state = "stopped"

    init(
      _ name: String, _ bundle: String, _ accounts: [(String, Bool)]?, identity: String = "unset",
      schemes: [String] = []
    ) {
      self.name = name
      self.bundle = bundle
      self.accounts = accounts
      self.identity = identity
      self.schemes = schemes
    }
  }

  private let state = Mutex(State())

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  var steps: [String] { state.withLock { $0.steps } }

  /// The values of the steps that saved policies.
  var savings: [String] {
    steps.filter { $0.hasPrefix("savePolicy: ") }.map { String($0.dropFirst(12)) }
  }

  @Sendable func call(_ method: String, _ parameters: String?) -> JSONValue? {
    state.withLock { state in
      guard !state.isGone else { return nil }
      let result: String
      switch method {
      case "apps": result = Self.apps(state)
      case "accounts":
        result = #"""
          {"accounts": [{"name": "anna", "upn": "anna@contoso.com"}, {"name": "carl", "upn": "carl@fabrikam.com"},
          {"name": "private", "upn": "anna@example.org"}]}
          """#
      case "policies": result = Self.policies(state)
      case "step":
        let step = parameters.flatMap { try? JSONReader.read($0) }?.array?.first?.string ?? ""
        result = Self.carryOut(step, &state)
      default:  // open: another method
        return try? JSONReader.read(#"{"error": {"message": "no method is called `\#(method)`"}}"#)
      }
      return try? JSONReader.read(#"{"result": \#(result)}"#)
    }
  }

  private static func apps(_ state: State) -> String {
    JSONWriter.objectLine { writer in
      writer.objects("apps", of: state.apps) { writer, app in
        writer.member("name", app.name)
        writer.member("bundle", app.bundle)
        writer.member("state", app.state)
        writer.member("identity", app.identity)
        writer.member("sdk", app.accounts != nil)
        if let accounts = app.accounts {
          writer.member("webViews", "currentIdentity")
          writer.objects("accounts", of: accounts) { writer, account in
            writer.member("name", account.name)
            let isProtected = account.isProtected && (state.isProtecting || state.saved.isEmpty)
            writer.member("managed", isProtected)
            writer.member("managementState", "unenrolled")
            let all = account.isProtected ? state.policies.map(\.name) : []
            writer.strings("policies", state.targets.map { $0[account.name] ?? [] } ?? all)
          }
        }
        writer.member("provides", app.name == "mail")
        writer.strings("schemes", app.schemes)
        writer.strings("associatedDomains", [])
      }
    }
  }

  private static func policies(_ state: State) -> String {
    JSONWriter.objectLine { writer in
      writer.objects("policies", of: state.policies) { writer, policy in
        writer.member("name", policy.name)
        writer.member("file", policy.file)
        writer.member("saved", state.saved[policy.name])
      }
      writer.member("tenant", state.tenant)
    }
  }

  private static func carryOut(_ step: String, _ state: inout State) -> String {
    state.steps.append(step)
    let word = String(step.prefix { $0 != ":" })
    if let failure = state.failures[word] {
      return
        #"{"times": 1, "failures": [\#(JSONWriter.quoted(failure))], "requests": [], "observed": []}"#
    }
    // The words of the step's value.
    let words = step.dropFirst(word.count).split { " ,:{}[]\"".contains($0) }.map(String.init)
    var (verdict, rule) = (state.verdict, Self.rule)
    switch word {
    case "launch", "resume":
      for index in state.apps.indices where words.contains(state.apps[index].name) {
        state.apps[index].state = "running"
      }
    case "switchIdentity":
      for index in state.apps.indices where state.apps[index].name == words[1] {
        state.apps[index].identity = words[3]
      }
      (verdict, rule) = ("allowed", "accountSignedIn")
    case "savePolicy": state.saved[words[1]] = words.count > 3 ? words[3] : nil
    default: break  // open: a step that makes a request
    }
    return #"""
      {"times": 1, "failures": [], "observed": [{"verdict": "\#(verdict)", "decidedBy": "\#(rule)"}],
      "requests": [{"operation": "openFile", "verdict": {"outcome": "allowed", "decidedBy": "fileBegins"}},
      {"receiver": \#(state.receiver), "verdict": {"outcome": "\#(verdict)", "decidedBy": "\#(rule)",
      "reasons": [{"rule": "\#(rule)", "text": "the device says so"}]}}], "report": ["1. \#(word)"]}
      """#
  }
}
