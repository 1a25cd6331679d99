public import Foundation

/// Makes objects of classes that are known at run time alone: the delegate's, and an extension's principal class.
///
/// Swift calls an initializer of such a class only where it is `required`, which the real ones are not. Every class
/// has the initializer at the same place of its table of methods as its superclass, so that it is called as if the class
/// were a template that requires it. A class without the initializer has a trap there.
enum ClassInstance {
  /// Calls `init()`; controllers get theirs by ``controller(_:)``.
  @inline(never) nonisolated static func object(_ type: NSObject.Type) -> NSObject {
    unsafeBitCast(type, to: ObjectTemplate.Type.self).init()
  }

  /// Calls `init(nibName:bundle:)`.
  @inline(never) @MainActor static func controller(
    _ type: UIViewController.Type
  ) -> UIViewController {
    unsafeBitCast(type, to: ControllerTemplate.Type.self).init(nibName: nil, bundle: nil)
  }

  /// Calls the initializer that fits the class.
  @MainActor static func make(_ type: NSObject.Type) -> NSObject {
    (type as? UIViewController.Type).map { controller($0) } ?? object(type)
  }

  /// The class of this name, with the module or without; nil where there is none.
  static func type(named name: String) -> NSObject.Type? {
    let plain = name.split(separator: ".").last.map(String.init) ?? name
    let names = [name, "\(moduleName).\(plain)"]
    return names.lazy.compactMap { NSClassFromString($0) as? NSObject.Type }.first
  }

  /// The module of the app's code, as Xcode and SwiftPM name it: after the executable.
  private static var moduleName: String {
    let path = CommandLine.arguments.first ?? ""
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return String(name.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
  }
}

/// Open, so that the compiler looks the initializer up.
open class ObjectTemplate: NSObject {
  public required override init() { super.init() }
}

/// Open, so that the compiler looks the initializer up.
open class ControllerTemplate: UIViewController {
  public required override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }
  public required init?(coder: NSCoder) { super.init(coder: coder) }
}
