public import Foundation

/// A method by its name, as `sluice code adapt` writes it for `#selector`.
///
/// A method that is the main actor's is called on the main thread by whoever has the selector.
public struct Selector: @unchecked Sendable, Hashable, CustomStringConvertible {
  public let description: String
  private let call: (_ target: Any, _ argument: Any?) -> Void

  /// A method without arguments.
  public init<Target, Result>(
    _ name: String, _ method: @escaping (Target) -> @MainActor () -> Result
  ) {
    description = name
    call = { target, _ in
      guard let target = target as? Target else { return }
      let call = UncheckedBox((method, target))
      MainActor.assumeIsolated { _ = call.value.0(call.value.1)() }
    }
  }

  /// A method with one argument; it is not called with another type's.
  public init<Target, Argument, Result>(
    _ name: String, _ method: @escaping (Target) -> @MainActor (Argument) -> Result
  ) {
    description = name
    call = { target, argument in
      guard let target = target as? Target, let argument = argument as? Argument else { return }
      let call = UncheckedBox((method, target, argument))
      MainActor.assumeIsolated { _ = call.value.0(call.value.1)(call.value.2) }
    }
  }

  /// A method without arguments, of a class that is not the main actor's.
  ///
  /// - Parameter isolation: tells the declarations apart.
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

  /// A method with one argument, of a class that is not the main actor's.
  ///
  /// - Parameter isolation: tells the declarations apart.
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

  /// Calls the method of `target`; nothing happens where it has none of that type.
  public func perform(on target: Any, with argument: Any? = nil) { call(target, argument) }

  public static func == (one: Selector, other: Selector) -> Bool {
    one.description == other.description
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension NotificationCenter {
  /// Has a method of `observer` called with each notification, as long as there is the observer.
  ///
  /// - Parameters:
  ///   - name: nil: of any name.
  ///   - object: nil: of any sender.
  public func addObserver(
    _ observer: Any, selector: Selector, name: NSNotification.Name?, object: Any?
  ) {
    let observer = WeakReference(observer as AnyObject)
    _ = addObserver(forName: name, object: object, queue: nil) { notification in
      observer.object.map { selector.perform(on: $0, with: notification) }
    }
  }
}

/// An object that somebody else holds.
private final class WeakReference: @unchecked Sendable {
  weak var object: AnyObject?

  init(_ object: AnyObject) { self.object = object }
}
