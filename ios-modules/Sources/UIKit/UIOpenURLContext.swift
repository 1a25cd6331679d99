public import Foundation

@preconcurrency @MainActor open class UIOpenURLContext: NSObject {
  public let url: URL
  public let options: UIScene.OpenURLOptions

  init(_ url: URL, from sender: String) {
    self.url = url
    options = UIScene.OpenURLOptions(from: sender)
    super.init()
  }
}
