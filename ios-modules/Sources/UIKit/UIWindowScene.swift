@preconcurrency @MainActor open class UIWindowScene: UIScene {
  open private(set) var windows: [UIWindow] = []
  open var keyWindow: UIWindow? { windows.first { $0.isKeyWindow } }

  func add(_ window: UIWindow) { if !windows.contains(window) { windows.append(window) } }
  func remove(_ window: UIWindow) { windows.removeAll { $0 === window } }
}
