internal import Encodings
public import Model

/// An app or extension on a ``Phone``. Its code runs in a child process of the device.
public struct PhoneApp: Sendable {
  /// The name in the scenario.
  public let name: String
  public let phone: Phone

  init(_ name: String, on phone: Phone) {
    self.name = name
    self.phone = phone
  }

  // MARK: Actions of the user and the app

  /// Ends the app, as the user does.
  public func stop() async throws { try await phone.step("stop: \(JSONWriter.quoted(name))") }

  /// Switches the identity of the app's window to an account. Later requests act for this account.
  @discardableResult
  public func act(for account: String) async throws -> StepOutcome {
    try await phone.step("switchIdentity", ["app": name, "to": account])
  }

  /// The path of a share.
  public enum Path: String, Sendable {
    /// Through the SDK's share sheet.
    case sdk
    /// Through the system's sharing, which bypasses the SDK.
    case os
  }

  /// Shares a text with an app or extension.
  ///
  /// - Parameter account: The acting identity of this request; nil for the app's identity.
  @discardableResult
  public func share(
    _ text: String, with receiver: PhoneApp, via path: Path = .sdk, as account: String? = nil
  ) async throws -> StepOutcome {
    try await phone.step(
      "share", ["from": name, "to": receiver.name, "text": text, "via": path.rawValue], as: account)
  }

  /// Opens a URL in the app that claims it.
  @discardableResult
  public func open(_ url: String, as account: String? = nil) async throws -> StepOutcome {
    try await phone.step("openURL", ["from": name, "url": url], as: account)
  }

  @discardableResult
  public func copy(_ text: String, as account: String? = nil) async throws -> StepOutcome {
    try await phone.step("copy", ["app": name, "text": text], as: account)
  }

  @discardableResult
  public func paste(as account: String? = nil) async throws -> StepOutcome {
    try await phone.step("paste", ["app": name], as: account)
  }

  /// Taps the button with the title `button`. If the app shows an alert, the alert's button is tapped; otherwise, a
  /// visible button of the app.
  ///
  /// - Parameter alert: The alert's title; nil if there is no alert, or if its title does not matter.
  @discardableResult
  public func tap(_ button: String, inAlert alert: String? = nil) async throws -> StepOutcome {
    try await phone.step("tap", ["app": name, "alert": alert, "button": button])
  }

  // MARK: Waiting

  /// Waits until the enrollment delegate has got a status.
  ///
  /// A call before the wait also counts, but each call satisfies only one wait. When the wait returns, the app is idle
  /// again, so its handler has returned. The device records only the call. To check the app's reaction, wait for its
  /// output (``said(_:)``) or compare its requests.
  ///
  /// - Parameters:
  ///   - account: The account's name in the scenario; nil for any.
  ///   - limit: The time after which the wait fails.
  /// - Throws: ``PhoneError`` if the wait fails. It contains the SDK's calls so far and the app's last output.
  @discardableResult
  public func received(
    _ status: EnrollmentStatus, for account: String? = nil, within limit: Duration = .seconds(60)
  ) async throws -> RecordedSDKCall {
    try await called("status \(status.name) (\(status.rawValue))", account, limit) {
      $0.enrollmentStatus == status
    }
  }

  /// Waits until the compliance delegate has got a status.
  @discardableResult
  public func received(
    _ status: ComplianceStatus, for account: String? = nil, within limit: Duration = .seconds(60)
  ) async throws -> RecordedSDKCall {
    try await called("compliance status \(status.name)", account, limit) {
      $0 == .compliance(status)
    }
  }

  /// Waits until the SDK has posted a notification. Leave out `account` for `allowedAccountsDidChange`, which concerns
  /// all accounts.
  @discardableResult
  public func received(
    _ notification: IntuneMAMNotification, for account: String? = nil,
    within limit: Duration = .seconds(60)
  ) async throws -> RecordedSDKCall {
    try await called("notification \(notification)", account, limit) {
      $0 == .notification(notification)
    }
  }

  /// Waits until the SDK has called the policy delegate.
  @discardableResult
  public func received(
    _ method: PolicyDelegateMethod, for account: String? = nil,
    within limit: Duration = .seconds(60)
  ) async throws -> RecordedSDKCall {
    try await called("call of \(method.rawValue)", account, limit) { $0 == .delegate(method) }
  }

  /// Waits until the app has written a line that contains a text.
  ///
  /// - Throws: ``PhoneError`` with the last lines after 60 seconds.
  public func said(_ text: String) async throws {
    try await phone.step(
      "wait: { said: { app: \(name), text: \(JSONWriter.quoted(text)) } }")
  }

  private func called(
    _ what: String, _ account: String?, _ limit: Duration,
    _ matches: @escaping @Sendable (SDKCall) -> Bool
  ) async throws -> RecordedSDKCall {
    let upn = try account.map(phone.upn)
    // The step is also the event after which all earlier calls are known.
    try await phone.step("wait: idle")
    let app = phone.bundleIDs[name]
    let call = await phone.device.calls.next(within: limit) { call in
      call.app == app && matches(call.call) && (upn == nil || upn == call.account)
    }
    guard let call else {
      throw PhoneError(
        "no \(what)\(account.map { " for \($0)" } ?? "") reached \(name)\n\(try await situation())")
    }
    try await phone.step("wait: idle")
    return call
  }

  /// Returns the SDK's calls to this app and the last lines of its output, for error messages.
  private func situation() async throws -> String {
    var reader = SDKCallReader()
    let calls = try await phone.events().flatMap { reader.calls(by: $0.kind) }
      .filter { $0.app == phone.bundleIDs[name] }.map { "  \($0.call) \($0.account)" }
    let output = try await phone.device.call("output")["output"]?.array ?? []
    let lines =
      output.first { $0["guest"]?.string == name }?["lines"]?.array?.compactMap(\.string) ?? []
    return
      (["calls of the SDK:"] + (calls.isEmpty ? ["  none"] : calls)
      + ["output:"] + (lines.isEmpty ? ["  none"] : lines.map { "  " + $0 }))
      .joined(separator: "\n")
  }
}
