package import Model
package import SluiceKit
package import Wire

/// An app or extension that is implemented as a Lua script.
///
/// Each callback runs as a task. While one task waits for the answer to a call, other tasks run.
package final class Script {
  private let machine: ScriptMachine
  private let file: OpaquePointer
  /// The handlers of events that arrived while the script's file was running; nil once the file has finished.
  private var early: [() -> Void]? = []
  private var application: Application?
  private var request = ScriptRequest.absent
  private var failures = GuestFailures()
  /// Closures to call once the extension's request has arrived.
  private var awaiting: [() -> Void] = []
  package private(set) var failure: ScriptError?

  /// Compiles a script. Call ``run(in:)`` to run it.
  ///
  /// - Parameter name: The file name for error messages.
  /// - Throws: ``ScriptError`` if the text is not Lua, or if memory is exhausted.
  package init(
    _ text: [UInt8], name: String, limits: ScriptLimits = ScriptLimits()
  ) throws(ScriptError) {
    machine = try ScriptMachine(name: name, limits: limits)
    file = try machine.compile(text)
  }

  /// Runs the script's file, and then its callbacks as events occur.
  package func run(in application: Application) {
    self.application = application
    if InstanceName(application.guestName) != nil { request = .awaited }
    application.enrollmentManager.delegate = self
    application.complianceManager.delegate = self
    machine.onLog = { application.log($0) }
    machine.seed(application.seed)
    machine.setTime(application.now)
    machine.set("device.name", to: application.deviceIdentifier)
    machine.set("device.guest", to: application.guestName)
    machine.set("device.app", to: application.bundleIdentifier)
    advance(
      ScriptTask(file) { [unowned self] _ in
        let waiting = early ?? []
        early = nil
        run(.launched, [])
        for event in waiting { event() }
      }, with: [])
  }

  // MARK: Events

  private func handles(_ event: ScriptEvent) -> Bool { machine.handles(event) }

  /// Calls `body` once the script's file has finished running, because only then are all callbacks set.
  private func whenReady(_ body: @escaping () -> Void) {
    if early == nil { body() } else { early?.append(body) }
  }

  /// Runs the callback for an event, if the script has one.
  ///
  /// - Parameters:
  ///   - onEnd: Receives the callback's return value.
  ///   - receipt: Acknowledges the delivery once the callback has ended or waits for another guest.
  private func run(
    _ event: ScriptEvent, _ arguments: [ScriptValue],
    onEnd: @escaping (ScriptValue) -> Void = { _ in }, receipt: (() -> Void)? = nil
  ) {
    guard failure == nil else { return }
    guard handles(event) else {
      receipt?()
      return onEnd(.nothing)
    }
    do throws(ScriptError) {
      let task = ScriptTask(try machine.begin(event), onEnd: onEnd, receipt: receipt)
      advance(task, with: Self.bytes(arguments))
    } catch {
      fail(error)
    }
  }

  // MARK: The request of an extension

  /// The request to this extension. Nil in an app, before the request arrives, and after it has
  /// ended.
  var openRequest: ExtensionContext? {
    if case .open(let context) = request { context } else { nil }
  }

  func takeRequest() -> ExtensionContext? { request.take() }

  /// Calls `body` once the extension's request has arrived, which may be after the script's file has begun to run.
  ///
  /// - Throws: ``ScriptMisuse`` in an app, which has no request.
  func whenRequested(
    by function: ScriptFunction, _ body: @escaping () -> Void
  ) throws(ScriptMisuse) {
    switch request {
    case .absent:
      throw ScriptMisuse("`\(function.name)` is for extensions: an app has no request")
    case .awaited: awaiting.append(body)
    case .open, .ended: body()
    }
  }

  // MARK: Tasks

  /// Resumes the task. If calls are answered immediately, continues the task in a loop instead of recursively.
  private func advance(_ task: ScriptTask, with bytes: [UInt8]) {
    task.next = bytes
    guard !task.isAdvancing else { return }
    task.isAdvancing = true
    while failure == nil, let bytes = task.next {
      task.next = nil
      switch machine.resume(task.pointer, with: bytes) {
      case .done(let value):
        machine.release(task.pointer)
        task.end(value)
      case .failed(let error): fail(error)
      case .asks(let function, let account, let arguments):
        perform(function, arguments, account, task)
      }
    }
    task.isAdvancing = false
  }

  private func perform(
    _ function: ScriptFunction, _ arguments: [ScriptValue], _ account: String?,
    _ task: ScriptTask
  ) {
    guard let application else { return }
    if function.wait == .otherGuests { task.confirm() }
    let call = ScriptCall(
      function, arguments, as: ThreadIdentity(accountID: account), in: application, of: self)
    do throws(ScriptMisuse) {
      try function.carryOut(call) { [unowned self] values in
        advance(task, with: [UInt8(ascii: "=")] + Self.bytes(values))
      }
    } catch {
      advance(task, with: [UInt8(ascii: "!")] + Array(error.description.utf8))
    }
  }

  private static func bytes(_ values: [ScriptValue]) -> [UInt8] {
    var bytes: [UInt8] = []
    for value in values { value.append(to: &bytes) }
    return bytes
  }

  private func fail(_ error: ScriptError) {
    failure = error
    if case .open(let context) = request { context.cancelRequest(withError: error.description) }
    application?.fail(error.description)
  }
}

// MARK: - Requests and tasks

/// The state of an extension's request. A request must be ended exactly once.
private enum ScriptRequest {
  /// The guest is an app, so it has no request.
  case absent
  /// The request has not arrived; the script's file may already be running.
  case awaited
  case open(ExtensionContext)
  case ended

  /// Returns the open request and marks it as ended; nil if there is none.
  mutating func take() -> ExtensionContext? {
    guard case .open(let context) = self else { return nil }
    self = .ended
    return context
  }
}

/// One run of a callback or of the script's file: a coroutine in the script, with the closures to call at its end.
private final class ScriptTask {
  let pointer: OpaquePointer
  /// Acknowledges the delivery; nil if there is no delivery, or if it has been acknowledged.
  private var receipt: (() -> Void)?
  private let onEnd: (ScriptValue) -> Void
  /// The bytes with which to resume the script; nil if there is nothing to resume it with.
  var next: [UInt8]?
  var isAdvancing = false

  init(
    _ pointer: OpaquePointer, onEnd: @escaping (ScriptValue) -> Void = { _ in },
    receipt: (() -> Void)? = nil
  ) {
    self.pointer = pointer
    self.receipt = receipt
    self.onEnd = onEnd
  }

  /// Acknowledges the delivery, so its sender can continue.
  func confirm() {
    receipt?()
    receipt = nil
  }

  func end(_ value: ScriptValue) {
    confirm()
    onEnd(value)
  }
}

// MARK: - Events

/// An event for which a script can set a callback. The raw value is the Lua function that sets it.
package enum ScriptEvent: String, Sendable, CaseIterable {
  case shareRequested = "share.requested"
  case shareLoaded = "share.loaded"
  case launched = "app.launched"
  case received = "app.received"
  case opened = "app.opened"
  case openedDocument = "app.openedDocument"
  case provides = "app.provides"
  case identitySwitchRequired = "app.identitySwitchRequired"
  case addAccount = "app.addAccount"
  case blockAccount = "app.blockAccount"
  case restartApplication = "app.restartApplication"
  case wipe = "app.wipe"
  case notified = "app.notified"
  case enrollmentStatus = "app.enrollmentStatus"
  case complianceStatus = "app.complianceStatus"
  case managedChanged = "managed.changed"

  var number: Int32 { Int32(Self.allCases.firstIndex(of: self) ?? 0) }
}

// MARK: - Calls of the device

extension Script: ApplicationDelegate {
  package func application(_ application: Application, didReceive item: ReceivedItem) {
    _ = failures.meet(item.item)
    let receipt = application.postponeAcknowledgement()
    whenReady { [unowned self] in run(.received, [.received(item)], receipt: receipt) }
  }

  package func application(_ application: Application, open url: String, from sender: String) {
    let account = application.policyManager.getAccountIdForCurrentActivity()
    let receipt = application.postponeAcknowledgement()
    whenReady { [unowned self] in
      run(
        .opened, [.text(url), .text(sender), .text(orNothing: account)], receipt: receipt)
    }
  }

  package func application(
    _ application: Application, open document: OpenedDocument, from sender: String
  ) {
    let receipt = application.postponeAcknowledgement()
    let fields: [String: ScriptValue] = [
      "path": .text(document.path), "name": .text(document.name), "type": .text(document.type),
      "sender": .text(sender),
    ]
    whenReady { [unowned self] in run(.openedDocument, [.record(fields)], receipt: receipt) }
  }

  package func beginRequest(with context: ExtensionContext) {
    request = .open(context)
    let waiting = awaiting
    awaiting = []
    for body in waiting { body() }
    whenReady { [unowned self] in
      // The file may have ended the request.
      guard case .open = request else { return }
      if handles(.shareRequested) {
        run(.shareRequested, [.list(context.inputItems.map(ScriptValue.offered))], of: context)
      } else if handles(.shareLoaded) {
        load(context.attachments[...], of: context, [])
      } else {
        request.take()?.cancelRequest(withError: "the script has no `share.loaded`")
      }
    }
  }

  /// Loads the first representation of each attachment, and then runs the callback with the loaded attachments.
  /// If the only attachment cannot be loaded, cancels the request instead.
  private func load(
    _ attachments: ArraySlice<ItemProvider>, of context: ExtensionContext, _ loaded: [ScriptValue]
  ) {
    guard let attachment = attachments.first,
      let type = attachment.registeredTypeIdentifiers.first
    else { return run(.shareLoaded, loaded, of: context) }
    attachment.loadItem(forTypeIdentifier: type) { [unowned self] result in
      switch result {
      case .success(let item):
        guard !refuses(item) else { return }
        load(attachments.dropFirst(), of: context, loaded + [.received(item)])
      case .failure(let error) where attachments.count == 1 && loaded.isEmpty:
        request.take()?.cancelRequest(withError: error.description)
      case .failure: load(attachments.dropFirst(), of: context, loaded)
      }
    }
  }

  static let refusal = "the extension refuses the item"

  /// Makes the extension crash, hang, hoard memory or refuse a loaded item at random, with the probabilities that the
  /// scenario sets.
  ///
  /// - Returns: Whether the extension refuses the item. Its request is then cancelled.
  func refuses(_ item: ReceivedItem) -> Bool {
    guard failures.meet(item.item) else { return false }
    request.take()?.cancelRequest(withError: Self.refusal)
    return true
  }

  private func run(_ event: ScriptEvent, _ values: [ScriptValue], of context: ExtensionContext) {
    guard case .open = request else { return }
    run(event, values) { [unowned self] _ in
      guard case .open = request else { return }
      context.application.log("the script has neither completed nor cancelled the request")
    }
  }

  package func application(
    _ application: Application, didPost notification: IntuneMAMNotification,
    forAccountId accountId: String?
  ) {
    whenReady { [unowned self] in
      run(.notified, [.text(notification.rawValue), .text(orNothing: accountId)])
    }
  }
}

extension Script: InstructedDelegate {
  /// Sets the probabilities of random failures from `behaviour`. Rejects instructions, because a script does not
  /// perform the steps of scenarios.
  package func perform(
    _ instruction: Instruction, _ behaviour: Behaviour, in application: Application,
    done: @escaping (_ failure: String?, _ found: [UInt8]) -> Void
  ) {
    guard case .nothing = instruction else {
      return done(
        "the app's own program carries out no such step; let the program act, or use the ready-made guest",
        [])
    }
    if let chances = behaviour.chances { failures.chances = chances }
    done(nil, [])
  }
}

extension Script: IntuneMAMEnrollmentDelegate {
  package func enrollmentRequest(with status: IntuneMAMEnrollmentStatus) {
    notify("enrollment", status)
  }

  package func policyRequest(with status: IntuneMAMEnrollmentStatus) { notify("policy", status) }

  package func unenrollRequest(with status: IntuneMAMEnrollmentStatus) {
    notify("unenrollment", status)
  }

  private func notify(_ request: String, _ status: IntuneMAMEnrollmentStatus) {
    whenReady { [unowned self] in
      run(
        .enrollmentStatus,
        [
          .text(request), .text(status.identity), .integer(Int64(status.statusCode.rawValue)),
          .text(status.statusCode.name),
        ])
    }
  }
}

extension Script: IntuneMAMComplianceDelegate {
  package func accountId(
    _ accountId: String, hasComplianceStatus status: IntuneMAMComplianceStatus,
    withErrorMessage errMsg: String, andErrorTitle errTitle: String
  ) {
    whenReady { [unowned self] in
      run(
        .complianceStatus,
        [.text(accountId), .text(status.name), .text(errTitle), .text(errMsg)])
    }
  }
}

extension Script {
  package func application(
    _ application: Application, managedAppDidChange aspect: ManagedAspect
  ) {
    whenReady { [unowned self] in run(.managedChanged, [.text(aspect.name)]) }
  }
}

extension Script: AsyncDelegate {
  package func application(
    _ application: Application, itemForRequester requester: String,
    answer: @escaping (Item?) -> Void
  ) {
    whenReady { [unowned self] in
      run(.provides, [.text(requester)]) { [unowned self] value in
        let item = provided(value)
        answer(item.map(failures.refusesToProvide) == true ? nil : item)
      }
    }
  }

  /// Reads an item from a callback's return value; nil if the value contains no valid item. Errors are logged, because
  /// the callback has already returned.
  private func provided(_ value: ScriptValue) -> Item? {
    do throws(ScriptMisuse) {
      return try Item(value)
    } catch {
      application?.log("nothing is provided: \(error.description)")
      return nil
    }
  }

  package func identitySwitchRequired(
    forAccountId accountId: String, reason: IntuneMAMIdentitySwitchReason,
    answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    decide(.identitySwitchRequired, [.text(accountId), .text(reason.rawValue)], answer)
  }

  package func addAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    decide(.addAccount, [.text(accountId)], answer)
  }

  package func blockAccountId(
    _ accountId: String, answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    decide(.blockAccount, [.text(accountId)], answer)
  }

  package func restartApplication(
    _ application: Application, answer: @escaping (Bool) -> Void
  ) {
    whenReady { [unowned self] in run(.restartApplication, []) { answer($0.isTrue) } }
  }

  private func decide(
    _ event: ScriptEvent, _ arguments: [ScriptValue],
    _ answer: @escaping (IntuneMAMAddIdentityResult) -> Void
  ) {
    whenReady { [unowned self] in
      run(event, arguments) { answer($0.isTrue ? .success : .failed) }
    }
  }

  package func wipeData(forAccountId accountId: String, answer: @escaping (Bool) -> Void) -> Bool {
    whenReady { [unowned self] in run(.wipe, [.text(accountId)]) { answer($0.isTrue) } }
    return true
  }

  package func clockDidAdvance(in application: Application) { machine.setTime(application.now) }
}
