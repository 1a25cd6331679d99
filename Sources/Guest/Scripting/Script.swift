internal import Model
package import SluiceKit

/// An app or extension whose behaviour is a script in Lua.
///
/// Every callback is a task of its own. A task waits for the answer to its calls, and others run meanwhile.
package final class Script {
  let machine: ScriptMachine
  private let file: OpaquePointer
  /// The events from before the file had run to its end; nil afterwards.
  private var early: [() -> Void]? = []
  var application: Application?
  /// The request that this extension works on.
  var request = ScriptRequest.absent
  /// The work that waits for the request to come.
  var awaiting: [() -> Void] = []
  /// The reason why the script has ended; nil while it has not.
  package private(set) var failure: ScriptError?

  /// Compiles a script; it runs with ``run(in:)``.
  ///
  /// - Parameter name: the file's name, as errors show it.
  /// - Throws: ``ScriptError`` where the text is not Lua, or there is no memory for it.
  package init(
    _ text: [UInt8], name: String, limits: ScriptLimits = ScriptLimits()
  ) throws(ScriptError) {
    machine = try ScriptMachine(name: name, limits: limits)
    file = try machine.compile(text)
  }

  /// The number of bytes that the script occupies.
  package var memory: Int { machine.memory }

  /// Runs the file, and then the callbacks that it has set for events.
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

  // MARK: events

  func handles(_ event: ScriptEvent) -> Bool { machine.handles(event) }

  /// Calls `body` now, or when the file has run to its end: only then all callbacks are set.
  func whenReady(_ body: @escaping () -> Void) {
    if early == nil { body() } else { early?.append(body) }
  }

  /// Runs the callback of an event, where the script has one.
  ///
  /// - Parameters:
  ///   - onEnd: gets the return value of the callback.
  ///   - receipt: confirms the delivery, once the callback has ended or waits for others.
  func run(
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

  // MARK: tasks

  /// Resumes the script. An answer that comes at once goes round the loop, not down the stack.
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
      case .asks(let call, let account, let arguments):
        perform(call, ScriptArguments(call, arguments), account, task)
      }
    }
    task.isAdvancing = false
  }

  private func perform(
    _ call: ScriptCall, _ arguments: ScriptArguments, _ account: String?, _ task: ScriptTask
  ) {
    guard let application else { return }
    if call.waitsForOthers { task.confirm() }
    let answer = { [unowned self] (values: [ScriptValue]) in
      advance(task, with: [UInt8(ascii: "=")] + Self.bytes(values))
    }
    let work = ScriptWork(
      call: call, arguments: arguments, identity: ThreadIdentity(accountID: account),
      application: application, script: self, answer: answer)
    do throws(ScriptMisuse) {
      try work.perform()
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
