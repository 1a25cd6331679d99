internal import AppProcess
public import Foundation

/// A method by its name, as `sluice code adapt` writes it for `#selector`.
///
/// It is called on the thread of whoever has the selector, as with Objective-C.
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
      Self.checkThread(name)
      _ = unsafeBitCast(method(target), to: (() -> Result).self)()
    }
  }

  /// A method with one argument; it is not called with another type's.
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

  /// Objective-C calls a method on whatever thread the caller is; of the main actor's methods the trace says so.
  private static func checkThread(_ name: String) {
    guard !Thread.isMainThread else { return }
    AppProcess.current.logOnce("`\(name)` must be used from the main thread only")
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
