internal import Encodings
internal import Foundation
public import Model

/// A simulated iPhone for one test.
///
/// Each phone is a fresh device in its own process, so tests run in parallel. The phone has the accounts, policies and
/// apps of a scenario, whose cases do not run. Apps are child processes of the device, so none of their code runs in
/// the test's process. The device stops once no reference to the phone is left.
///
/// ```swift
/// let phone = try await Phone()
/// let mail = try await phone.launch("mail")
/// try await phone.enroll("anna", in: mail)
/// try await mail.received(.newPoliciesReceived)
/// let share = try await mail.share("Figures", with: phone.launch("viewer"), as: "anna")
/// #expect(share.verdict == .blocked)
/// ```
public final class Phone: Sendable {
  let device: DeviceProcess
  /// The bundle ids of the apps and extensions, keyed by name.
  let bundleIDs: [String: String]
  /// The UPNs of the accounts, keyed by name.
  private let upns: [String: String]

  /// Starts the device of a scenario.
  ///
  /// - Parameters:
  ///   - scenario: The path of the scenario, relative to the test's package. By default, the only `.yaml` file in the
  ///     folder of the package.
  ///   - file: The path of the test's file. The scenario is in the package that contains this file.
  /// - Throws: ``PhoneError`` if there is no such scenario, `sluice` is missing, or the device does not start.
  public init(_ scenario: String? = nil, file: String = #filePath) async throws {
    let folder = try Self.package(of: file)
    device = try await DeviceProcess.start(
      Self.program(), try Self.path(of: scenario, in: folder))
    let apps = try await device.call("apps")["apps"]?.array ?? []
    let accounts = try await device.call("accounts")["accounts"]?.array ?? []
    bundleIDs = Self.table(apps, "bundle")
    upns = Self.table(accounts, "upn")
  }

  private static func table(_ entries: [JSONValue], _ member: String) -> [String: String] {
    var table: [String: String] = [:]
    for entry in entries {
      if let name = entry["name"]?.string { table[name] = entry[member]?.string }
    }
    return table
  }

  /// Returns the UPN of the account that the scenario calls `account`.
  ///
  /// - Throws: ``PhoneError`` if the scenario has no such account.
  func upn(of account: String) throws -> String {
    guard let upn = upns[account] else {
      throw PhoneError(
        "no account is called `\(account)`; the accounts are \(upns.keys.sorted().joined(separator: ", "))"
      )
    }
    return upn
  }

  // MARK: Apps

  /// Returns the app or extension of this name in the scenario, running or not.
  public func app(_ name: String) -> PhoneApp { PhoneApp(name, on: self) }

  /// Starts an app.
  public func launch(_ name: String) async throws -> PhoneApp {
    try await step("launch") { $0.string(name) }
    return app(name)
  }

  // MARK: Accounts

  /// Signs an account in to an app. An app that integrates the SDK enrolls the account if a policy or configuration
  /// targets it. If the app shows MSAL's sign-in prompt, the call only answers the prompt.
  ///
  /// - Parameter account: The account's name in the scenario.
  @discardableResult
  public func enroll(_ account: String, in app: PhoneApp) async throws -> StepOutcome {
    try await step("signIn", ["app": app.name, "account": account])
  }

  @discardableResult
  public func signOut(_ account: String, of app: PhoneApp) async throws -> StepOutcome {
    try await step("signOut", ["app": app.name, "account": account])
  }

  /// Wipes an account's data as the administrator does, and waits for the app's answer.
  ///
  /// - Parameters:
  ///   - account: The account's name in the scenario. By default, the scenario's only account.
  ///   - app: The app; nil for every app in which the account is signed in.
  @discardableResult
  public func wipe(
    _ account: String? = nil, in app: PhoneApp? = nil
  ) async throws -> StepOutcome {
    try await step("wipe", ["app": app?.name, "account": named(account)])
  }

  // MARK: Policies

  /// Targets a policy of the scenario at an account, in place of all previous policies.
  ///
  /// - Parameters:
  ///   - policy: The policy's name in the scenario; nil for none, which makes the account unmanaged.
  ///   - account: The account's name in the scenario. By default, the scenario's only account.
  @discardableResult
  public func apply(policy: String?, to account: String? = nil) async throws -> StepOutcome {
    try await step("assign", ["account": named(account), "policy": policy])
  }

  /// Returns `account`, or the scenario's only account if `account` is nil. Throws an error if `account` is nil and the
  /// scenario has several accounts.
  private func named(_ account: String?) throws -> String {
    if let account { return account }
    guard let only = upns.first?.key, upns.count == 1 else {
      throw PhoneError(
        "the scenario has several accounts; name one of \(upns.keys.sorted().joined(separator: ", "))"
      )
    }
    return only
  }

  /// Saves new settings in a policy of the scenario, for all accounts that the policy targets.
  ///
  /// - Parameter json: An `iosManagedAppProtection` as JSON, such as `{"displayName": "Strict",
  ///   "saveAsBlocked": true}`.
  @discardableResult
  public func save(policy: String, json: String) async throws -> StepOutcome {
    // The device removes the folder around its own.
    let folder = try await device.call("status")["folder"]?.string ?? ""
    let path = "\((folder as NSString).deletingLastPathComponent)/\(UUID().uuidString).json"
    try json.write(toFile: path, atomically: true, encoding: .utf8)
    return try await step("savePolicy", ["policy": policy, "file": path])
  }

  // MARK: Steps

  /// Carries out any step of scenarios, such as `"advance: P1D"`.
  ///
  /// - Parameter yaml: The step, with or without expectations.
  /// - Throws: ``PhoneError`` if the step cannot be carried out, or one of its expectations is not met.
  @discardableResult
  public func step(_ yaml: String) async throws -> StepOutcome {
    var writer = JSONWriter()
    writer.array { $0.string(yaml) }
    return try await carryOut(writer.text)
  }

  /// Carries out the step `word` with a mapping as its value. Keys with the value nil are omitted.
  ///
  /// - Parameter account: The acting identity of the step; nil for the app's identity.
  @discardableResult
  func step(
    _ word: String, _ keys: KeyValuePairs<String, String?>, as account: String? = nil
  ) async throws -> StepOutcome {
    try await step(word, as: account) { writer in
      writer.object { writer in
        for (key, value) in keys {
          if let value { writer.member(named: key) { $0.string(value) } }
        }
      }
    }
  }

  @discardableResult
  private func step(
    _ word: String, as account: String? = nil, _ value: (inout JSONWriter) -> Void
  ) async throws -> StepOutcome {
    try await carryOut(
      JSONWriter.objectText { writer in
        writer.member(named: word, value)
        writer.member("as", account)
      })
  }

  private func carryOut(_ parameters: String) async throws -> StepOutcome {
    let result = try await device.call("step", parameters)
    guard result["holds"]?.bool == true else { throw PhoneError(StepOutcome.report(result)) }
    return StepOutcome(result)
  }

  /// Returns all events in the device's journal so far.
  public func events() async throws -> [JournalEvent] {
    var events: [JournalEvent] = []
    var position = 0
    while true {
      let answer = try await device.call("journal", #"{"limit":1000,"position":\#(position)}"#)
      let next = answer["events"]?.array ?? []
      events += next.compactMap { try? JournalEvent($0) }
      guard let end = answer["position"]?.int, !next.isEmpty else { return events }
      position = end
    }
  }

  // MARK: Files

  /// Returns the folder of the package that contains a file.
  private static func package(of file: String) throws -> String {
    var folder = URL(fileURLWithPath: file).deletingLastPathComponent()
    while folder.path != "/" {
      if FileManager.default.fileExists(atPath: "\(folder.path)/Package.swift") {
        return folder.path
      }
      folder.deleteLastPathComponent()
    }
    throw PhoneError("no folder above `\(file)` has a Package.swift")
  }

  private static func path(of scenario: String?, in folder: String) throws -> String {
    if let scenario { return scenario.hasPrefix("/") ? scenario : "\(folder)/\(scenario)" }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      .filter { $0.hasSuffix(".yaml") && !$0.hasPrefix(".") }
    guard let name = names.first, names.count == 1 else {
      throw PhoneError(
        "`\(folder)` must have exactly one scenario, found "
          + "\(names.isEmpty ? "none" : names.joined(separator: ", ")); "
          + "name one: `Phone(\"\(names.first ?? "Mail.yaml")\")`")
    }
    return "\(folder)/\(name)"
  }

  /// Returns the path of `sluice`: the value of `SLUICE`, otherwise the program of this checkout or
  /// installation, otherwise the first one on the `PATH`.
  private static func program(checkout file: String = #filePath) throws -> String {
    let variables = ProcessInfo.processInfo.environment
    if let path = variables["SLUICE"], !path.isEmpty { return path }
    // An installation has these sources in `share/sluice`.
    let root = "\(file)/../../../.."
    let folders =
      ["\(root)/bin", "\(root)/../../bin"]
      + (variables["PATH"] ?? "").components(separatedBy: ":")
    let paths = folders.map { URL(fileURLWithPath: "\($0)/sluice").standardized.path }
    guard let path = paths.first(where: FileManager.default.isExecutableFile) else {
      throw PhoneError(
        "`sluice` was not found; set `SLUICE` to its path, or add its folder to the `PATH`")
    }
    return path
  }
}
