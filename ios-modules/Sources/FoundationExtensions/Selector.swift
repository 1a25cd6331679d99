internal import AppProcess
public import Foundation

/// A reference to a method. `sluice code adapt` replaces `#selector` with it.
///
/// The method is called on the caller's thread, as with Objective-C.
public struct Selector: @unchecked Sendable, Hashable, CustomStringConvertible {
  public let description: String
  private let call: (_ target: Any, _ argument: Any?) -> Void
  private let hasMethod: (_ target: Any) -> Bool

  /// Creates a selector with a name but without a method. A call only writes a line to the device's
  /// trace.
  public init(_ name: String) {
    description = name
    call = { _, _ in AppProcess.current.logOnce("no method is known for the selector `\(name)`") }
    hasMethod = { _ in false }
  }

  /// Creates a selector for a method without arguments.
  public init<Target, Result>(
    _ name: String, _ method: @escaping (Target) -> @MainActor () -> Result
  ) {
    description = name
    hasMethod = { $0 is Target }
    call = { target, _ in
      guard let target = target as? Target else { return }
      MainThread.check(name)
      _ = unsafeBitCast(method(target), to: (() -> Result).self)()
    }
  }

  /// Creates a selector for a method with one argument. A call has no effect if its argument has
  /// another type.
  public init<Target, Argument, Result>(
    _ name: String, _ method: @escaping (Target) -> @MainActor (Argument) -> Result
  ) {
    description = name
    hasMethod = { $0 is Target }
    call = { target, argument in
      guard let target = target as? Target, let argument = argument as? Argument else { return }
      MainThread.check(name)
      _ = unsafeBitCast(method(target), to: ((Argument) -> Result).self)(argument)
    }
  }

  /// Creates a selector for a method without arguments, in a class outside the main actor.
  ///
  /// - Parameter isolation: Has no effect. It only distinguishes this initializer from the one for
  ///   the main actor.
  @_disfavoredOverload
  public init<Target, Result>(
    _ name: String, isolation: Void = (), _ method: @escaping (Target) -> () -> Result
  ) {
    description = name
    hasMethod = { $0 is Target }
    call = { target, _ in
      guard let target = target as? Target else { return }
      _ = method(target)()
    }
  }

  /// Creates a selector for a method with one argument, in a class outside the main actor.
  ///
  /// - Parameter isolation: Has no effect. It only distinguishes this initializer from the one for
  ///   the main actor.
  @_disfavoredOverload
  public init<Target, Argument, Result>(
    _ name: String, isolation: Void = (), _ method: @escaping (Target) -> (Argument) -> Result
  ) {
    description = name
    hasMethod = { $0 is Target }
    call = { target, argument in
      guard let target = target as? Target, let argument = argument as? Argument else { return }
      _ = method(target)(argument)
    }
  }

  /// Calls the method on `target`. Does nothing if `target` is not of the method's type.
  public func perform(on target: Any, with argument: Any? = nil) { call(target, argument) }

  /// Returns whether the method belongs to the type of `target`.
  public func isMethod(of target: Any) -> Bool { hasMethod(target) }

  public static func == (one: Selector, other: Selector) -> Bool {
    one.description == other.description
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

/// Returns a selector with this name but without a method.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }

/// Returns a selector with this name but without a method.
public func sel_registerName(_ str: String) -> Selector! { Selector(str) }

extension NotificationCenter {
  /// Calls a method of `observer` for each notification, as long as `observer` exists.
  ///
  /// - Parameters:
  ///   - name: The notification's name; nil for any name.
  ///   - object: The sender; nil for any sender.
  public func addObserver(
    _ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?
  ) {
    let observer = WeakReference(observer as AnyObject)
    _ = addObserver(forName: name, object: object, queue: nil) { notification in
      observer.object.map { selector.perform(on: $0, with: notification) }
    }
  }
}

private final class WeakReference: @unchecked Sendable {
  weak var object: AnyObject?

  init(_ object: AnyObject) { self.object = object }
}
