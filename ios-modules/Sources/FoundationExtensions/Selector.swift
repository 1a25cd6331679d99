internal import AppProcess
public import Foundation

/// A method reference that `sluice code adapt` substitutes for `#selector`.
///
/// The method is called on the caller's thread, as with Objective-C.
public struct Selector: @unchecked Sendable, Hashable, CustomStringConvertible {
  public let description: String
  private let call: (_ target: Any, _ argument: Any?) -> Void

  /// Creates a selector of a method without arguments.
  public init<Target, Result>(
    _ name: String, _ method: @escaping (Target) -> @MainActor () -> Result
  ) {
    description = name
    call = { target, _ in
      guard let target = target as? Target else { return }
      Self.checkThread(name)
      _ = unsafeBitCast(method(target), to: (() -> Result).self)()
    }
  }

  /// Creates a selector of a method with one argument. Calls with another argument type are ignored.
  public init<Target, Argument, Result>(
    _ name: String, _ method: @escaping (Target) -> @MainActor (Argument) -> Result
  ) {
    description = name
    call = { target, argument in
      guard let target = target as? Target, let argument = argument as? Argument else { return }
      Self.checkThread(name)
      _ = unsafeBitCast(method(target), to: ((Argument) -> Result).self)(argument)
    }
  }

  /// Creates a selector of a method without arguments, in a class outside the main actor.
  ///
  /// - Parameter isolation: disambiguates the overload.
  @_disfavoredOverload
  public init<Target, Result>(
    _ name: String, isolation: Void = (), _ method: @escaping (Target) -> () -> Result
  ) {
    description = name
    call = { target, _ in
      guard let target = target as? Target else { return }
      _ = method(target)()
    }
  }

  /// Creates a selector of a method with one argument, in a class outside the main actor.
  ///
  /// - Parameter isolation: disambiguates the overload.
  @_disfavoredOverload
  public init<Target, Argument, Result>(
    _ name: String, isolation: Void = (), _ method: @escaping (Target) -> (Argument) -> Result
  ) {
    description = name
    call = { target, argument in
      guard let target = target as? Target, let argument = argument as? Argument else { return }
      _ = method(target)(argument)
    }
  }

  /// Objective-C calls methods on the caller's thread. Calls of main actor methods on another thread are
  /// reported in the trace.
  private static func checkThread(_ name: String) {
    guard !Thread.isMainThread else { return }
    AppProcess.current.logOnce("`\(name)` must be used from the main thread only")
  }

  /// Calls the method of `target`; does nothing if `target` has another type.
  public func perform(on target: Any, with argument: Any? = nil) { call(target, argument) }

  public static func == (one: Selector, other: Selector) -> Bool {
    one.description == other.description
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension NotificationCenter {
  /// Calls a method of `observer` on each notification, while `observer` exists.
  ///
  /// - Parameters:
  ///   - name: the notification's name; nil for any.
  ///   - object: the sender; nil for any.
  public func addObserver(
    _ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?
  ) {
    let observer = WeakReference(observer as AnyObject)
    _ = addObserver(forName: name, object: object, queue: nil) { notification in
      observer.object.map { selector.perform(on: $0, with: notification) }
    }
  }
}

/// A weak reference to an object.
private final class WeakReference: @unchecked Sendable {
  weak var object: AnyObject?

  init(_ object: AnyObject) { self.object = object }
}
