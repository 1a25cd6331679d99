public import Foundation

/// Creates objects of classes that are known only at run time: app delegates and the principal classes of extensions.
///
/// Swift can call an initializer of such a class only if the initializer is `required`, and those of apps' classes are
/// not. However, a subclass has the initializer in the same vtable slot as its superclass. The initializer is therefore
/// called through a template class that declares it as required. If a class does not inherit the initializer, the slot
/// traps.
enum ClassInstance {
  /// Creates an object with `init()`. For view controllers, use ``controller(_:)``.
  @inline(never) nonisolated static func object(_ type: NSObject.Type) -> NSObject {
    unsafeBitCast(type, to: ObjectTemplate.Type.self).init()
  }

  /// Creates a view controller with `init(nibName:bundle:)`.
  @inline(never) @MainActor static func controller(
    _ type: UIViewController.Type
  ) -> UIViewController {
    unsafeBitCast(type, to: ControllerTemplate.Type.self).init(nibName: nil, bundle: nil)
  }

  /// Creates an object with the initializer for its class: ``controller(_:)`` for a view controller, otherwise
  /// ``object(_:)``.
  @MainActor static func make(_ type: NSObject.Type) -> NSObject {
    (type as? UIViewController.Type).map { controller($0) } ?? object(type)
  }

  /// Returns the class with this name, with or without the name of its module. Returns nil if there is no such class.
  static func type(named name: String) -> NSObject.Type? {
    let plain = name.split(separator: ".").last.map(String.init) ?? name
    let names = [name, "\(moduleName).\(plain)"]
    return names.lazy.compactMap { NSClassFromString($0) as? NSObject.Type }.first
  }

  /// The app's module name. It is derived from the executable's name, as in Xcode and SwiftPM.
  private static var moduleName: String {
    let path = CommandLine.arguments.first ?? ""
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
  }
}

/// The template class of ``ClassInstance/object(_:)``. It is open, so the compiler dispatches the initializer
/// dynamically.
open class ObjectTemplate: NSObject {
  public required override init() { super.init() }
}

/// The template class of ``ClassInstance/controller(_:)``. It is open, so the compiler dispatches the initializer
/// dynamically.
open class ControllerTemplate: UIViewController {
  public required override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }
  public required init?(coder: NSCoder) { super.init(coder: coder) }
}
