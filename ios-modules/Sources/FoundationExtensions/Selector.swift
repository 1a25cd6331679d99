internal import AppProcess
public import Foundation

/// A method reference that `sluice code adapt` substitutes for `#selector`.
///
/// The method is called on the caller's thread, as with Objective-C.
public struct Selector: @unchecked Sendable, Hashable, CustomStringConvertible {
  public let description: String
  private let call: (_ target: Any, _ argument: Any?) -> Void

  /// Creates a selector for a method without arguments.
  public init<Target, Result>(
    _ name: String, _ method: @escaping (Target) -> @MainActor () -> Result
  ) {
    description = name
    call = { target, _ in
      guard let target = target as? Target else { return }
      MainThread.check(name)
      _ = unsafeBitCast(method(target), to: (() -> Result).self)()
    }
  }

  /// Creates a selector for a method with one argument. A call with an argument of another type is
  /// ignored.
  public init<Target, Argument, Result>(
    _ name: String, _ method: @escaping (Target) -> @MainActor (Argument) -> Result
  ) {
    description = name
    call = { target, argument in
      guard let target = target as? Target, let argument = argument as? Argument else { return }
      MainThread.check(name)
      _ = unsafeBitCast(method(target), to: ((Argument) -> Result).self)(argument)
    }
  }

  /// Creates a selector for a method without arguments, in a class outside the main actor.
  ///
  /// - Parameter isolation: Only disambiguates the overload.
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

  /// Creates a selector for a method with one argument, in a class outside the main actor.
  ///
  /// - Parameter isolation: Only disambiguates the overload.
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

  /// Calls the method of `target`. Does nothing if `target` has another type.
  public func perform(on target: Any, with argument: Any? = nil) { call(target, argument) }

  public static func == (one: Selector, other: Selector) -> Bool {
    one.description == other.description
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

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

/// A weak reference to an object.
private final class WeakReference: @unchecked Sendable {
  weak var object: AnyObject?

  init(_ object: AnyObject) { self.object = object }
}
