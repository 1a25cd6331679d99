// Code that only observes data compiles: `ObservableObject` and `@Published` are those of Combine. Code that
// draws is a compiler error that states the reason.
@_exported public import Combine
@_exported public import UIKit

@available(
  *, unavailable, message: "Sluice has no screen to draw on: leave this file out of the package"
)
public protocol View {}

@available(
  *, unavailable, message: "Sluice has no screen to draw on: use a UIApplicationDelegate with @main"
)
public protocol App {}

@available(
  *, unavailable, message: "Sluice has no screen to draw on: leave this file out of the package"
)
public protocol Scene {}

@available(
  *, unavailable, message: "Sluice has no screen to draw on: leave this file out of the package"
)
public protocol ViewModifier {}

@available(
  *, unavailable, message: "Sluice has no screen to draw on: use the property without @StateObject"
)
@propertyWrapper public struct StateObject<ObjectType> {
  public var wrappedValue: ObjectType
  public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
}

@available(
  *, unavailable,
  message: "Sluice has no screen to draw on: use the property without @ObservedObject"
)
@propertyWrapper public struct ObservedObject<ObjectType> {
  public var wrappedValue: ObjectType
  public init(wrappedValue: ObjectType) { self.wrappedValue = wrappedValue }
}

@available(
  *, unavailable,
  message: "Sluice has no screen to draw on: use a property that holds the object"
)
@propertyWrapper public struct EnvironmentObject<ObjectType> {
  public var wrappedValue: ObjectType { fatalError() }
  public init() {}
}

@available(
  *, unavailable,
  message:
    "Sluice has no screen to draw on: use @main or @UIApplicationMain on the delegate's class"
)
@propertyWrapper public struct UIApplicationDelegateAdaptor<DelegateType> {
  public var wrappedValue: DelegateType { fatalError() }
  public init(_ delegateType: DelegateType.Type = DelegateType.self) {}
}

@available(
  *, unavailable, message: "Sluice has no screen to draw on: use a UIViewController in its place"
)
open class UIHostingController<Content>: UIViewController {
  public init(rootView: Content) { super.init(nibName: nil, bundle: nil) }
  public required init?(coder: NSCoder) { super.init(coder: coder) }
}
