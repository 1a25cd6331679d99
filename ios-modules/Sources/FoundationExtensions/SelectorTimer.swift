public import Foundation

/// Adds initializers to `Timer` that return an object of a private subclass. Initializers in an extension of `Timer`
/// itself cannot do this.
public protocol _SelectorTimerCreating {}

extension Timer: _SelectorTimerCreating {}

extension _SelectorTimerCreating where Self: Timer {
  /// Creates a timer that calls a method with the timer as its argument. The timer is not scheduled.
  ///
  /// - Parameters:
  ///   - aTarget: The method's object, which is retained until the timer is invalidated.
  ///   - userInfo: The value of the timer's property `userInfo`.
  public init(
    timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector,
    userInfo: Any?, repeats yesOrNo: Bool
  ) {
    self.init(
      fireAt: Date(timeIntervalSinceNow: ti), interval: ti, target: aTarget, selector: aSelector,
      userInfo: userInfo, repeats: yesOrNo)
  }

  /// Creates a timer that calls a method for the first time at `date`. The timer is not scheduled.
  public init(
    fireAt date: Date, interval ti: TimeInterval, target t: Any, selector s: Selector,
    userInfo ui: Any?, repeats rep: Bool
  ) {
    // Apple documents that Timer has no subclasses, so `Self` is `Timer`.
    self = SelectorTimer(date, ti, t, s, ui, rep) as! Self
  }
}

extension Timer {
  /// Creates a timer that calls a method with the timer as its argument, and schedules it on the run loop of the
  /// current thread.
  ///
  /// - Parameters:
  ///   - aTarget: The method's object, which is retained until the timer is invalidated.
  ///   - userInfo: The value of the timer's property `userInfo`.
  @discardableResult
  public class func scheduledTimer(
    timeInterval ti: TimeInterval, target aTarget: Any, selector aSelector: Selector,
    userInfo: Any?, repeats yesOrNo: Bool
  ) -> Timer {
    let timer = Timer(
      timeInterval: ti, target: aTarget, selector: aSelector, userInfo: userInfo, repeats: yesOrNo)
    RunLoop.current.add(timer, forMode: .default)
    return timer
  }
}

private final class SelectorTimer: Timer {
  private let info: Any?
  private var target: Any?

  init(
    _ date: Date, _ interval: TimeInterval, _ target: Any, _ selector: Selector, _ info: Any?,
    _ repeats: Bool
  ) {
    self.info = info
    self.target = target
    super.init(fire: date, interval: interval, repeats: repeats) { timer in
      guard let timer = timer as? SelectorTimer, let target = timer.target else { return }
      if !repeats { timer.target = nil }
      selector.perform(on: target, with: timer)
    }
  }

  override var userInfo: Any? { info }

  override func invalidate() {
    super.invalidate()
    target = nil
  }
}

extension NSObject {
  /// Calls a method on the current thread's run loop after `delay` seconds. The object is retained until the call.
  public func perform(
    _ aSelector: Selector, with anArgument: Any?, afterDelay delay: TimeInterval,
    inModes modes: [RunLoop.Mode] = [.default]
  ) {
    let call = DelayedCall(target: self, selector: aSelector, argument: anArgument)
    call.schedule(after: delay, in: modes)
  }

  /// Cancels the pending calls of `perform(_:with:afterDelay:)` on an object, for the current thread.
  public class func cancelPreviousPerformRequests(withTarget aTarget: Any) {
    DelayedCall.cancel { $0.target === aTarget as AnyObject }
  }

  /// Cancels the pending calls of `perform(_:with:afterDelay:)` on an object, for the current thread. Only calls with
  /// an equal selector and argument are cancelled.
  public class func cancelPreviousPerformRequests(
    withTarget aTarget: Any, selector aSelector: Selector, object anArgument: Any?
  ) {
    DelayedCall.cancel {
      $0.target === aTarget as AnyObject && $0.selector == aSelector && $0.hasArgument(anArgument)
    }
  }

  /// Calls a method on the main thread. If this is the main thread and `wait` is true, calls it immediately. Otherwise,
  /// the call is queued; if `wait` is true, this thread waits until the method has returned.
  public func performSelector(
    onMainThread aSelector: Selector, with arg: Any?, waitUntilDone wait: Bool
  ) {
    if wait && Thread.isMainThread { return aSelector.perform(on: self, with: arg) }
    let call = UncheckedBox((self, arg))
    let work = { @Sendable in aSelector.perform(on: call.value.0, with: call.value.1) }
    if wait {
      DispatchQueue.main.sync(execute: work)
    } else {
      DispatchQueue.main.async(execute: work)
    }
  }

  /// Calls a method on a background thread.
  public func performSelector(inBackground aSelector: Selector, with arg: Any?) {
    let call = UncheckedBox((self, arg))
    Thread.detachNewThread { aSelector.perform(on: call.value.0, with: call.value.1) }
  }
}

/// A pending call of `perform(_:with:afterDelay:)`, which a thread's run loop will execute.
private final class DelayedCall: @unchecked Sendable {
  let target: NSObject
  let selector: Selector
  private let argument: Any?
  private var timer: Timer?

  init(target: NSObject, selector: Selector, argument: Any?) {
    self.target = target
    self.selector = selector
    self.argument = argument
  }

  func schedule(after delay: TimeInterval, in modes: [RunLoop.Mode]) {
    // On Linux, timers of `Timer(timeInterval:)` first fire immediately.
    let time = Date(timeIntervalSinceNow: delay)
    let timer = Timer(fire: time, interval: 0, repeats: false) { [self] _ in
      Self.waiting.removeAll { $0 === self }
      selector.perform(on: target, with: argument)
    }
    self.timer = timer
    Self.waiting.append(self)
    for mode in modes { RunLoop.current.add(timer, forMode: mode) }
  }

  func hasArgument(_ other: Any?) -> Bool {
    guard let argument, let other else { return argument == nil && other == nil }
    if let one = argument as? AnyHashable, let two = other as? AnyHashable { return one == two }
    return argument as AnyObject === other as AnyObject
  }

  static func cancel(where isCancelled: (DelayedCall) -> Bool) {
    for call in waiting where isCancelled(call) { call.timer?.invalidate() }
    waiting.removeAll(where: isCancelled)
  }

  /// The pending calls on the current thread.
  private static var waiting: [DelayedCall] {
    get { Thread.current.threadDictionary[key] as? [DelayedCall] ?? [] }
    set { Thread.current.threadDictionary[key] = newValue }
  }

  private static let key = "FoundationExtensions.DelayedCall"
}
