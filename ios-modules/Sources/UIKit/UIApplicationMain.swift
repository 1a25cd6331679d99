public import Foundation

/// Runs the app, and never returns.
///
/// - Parameters:
///   - principalClassName: A subclass of `UIApplication`; nil for `UIApplication` itself.
///   - delegateClassName: The name of the delegate's class, as returned by `NSStringFromClass`.
@discardableResult
public func UIApplicationMain(
  _ argc: Int32, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ principalClassName: String?, _ delegateClassName: String?
) -> Int32 {
  MainActor.assumeIsolated { () -> Int32 in
    AppLaunch.run(
      application: principalClassName.flatMap { ClassInstance.type(named: $0) },
      delegate: delegateClassName.map { name in
        guard let type = ClassInstance.type(named: name) else {
          fatalError("there is no class `\(name)` that could be the app's delegate")
        }
        return type
      })
  }
}

/// Runs the extension that `Info.plist` describes, and never returns. On iOS, the system provides
/// this entry point for extensions.
@discardableResult
public func NSExtensionMain(
  _ argc: Int32 = 0, _ argv: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = nil
) -> Int32 {
  MainActor.assumeIsolated { () -> Int32 in
    guard let name = InfoDictionary.main.principalClass else {
      fatalError("`Info.plist` names no `NSExtensionPrincipalClass`")
    }
    guard let type = ClassInstance.type(named: name) else {
      fatalError("there is no class `\(name)`, the `NSExtensionPrincipalClass` of `Info.plist`")
    }
    ExtensionLaunch.run(type)
  }
}

/// Runs an extension with a principal class, and never returns.
///
/// - Parameter principalClass: A `UIViewController`, or another class that handles requests.
public func UIExtensionMain(_ principalClass: NSObject.Type) -> Never {
  MainActor.assumeIsolated { () -> Void in ExtensionLaunch.run(principalClass) }
  fatalError("an extension runs until the device ends it")
}
