public import Foundation
public import UIKit

public typealias MSALViewController = UIViewController

/// The presentation of a sign-in. Nothing is drawn, and a step of the scenario answers the prompt.
open class MSALWebviewParameters: NSObject, NSCopying, @unchecked Sendable {
  /// This property has no effect, because the sign-in is not presented.
  open var parentViewController: MSALViewController
  /// This property has no effect.
  open var prefersEphemeralWebBrowserSession = false
  /// This property has no effect.
  open var presentationStyle = UIModalPresentationStyle.automatic
  /// This property has no effect.
  open var webviewType = MSALWebviewType.default

  public init(authPresentationViewController parentViewController: MSALViewController) {
    self.parentViewController = parentViewController
  }

  open func copy(with zone: NSZone? = nil) -> Any { copied }

  var copied: MSALWebviewParameters {
    let copy = MSALWebviewParameters(authPresentationViewController: parentViewController)
    copy.prefersEphemeralWebBrowserSession = prefersEphemeralWebBrowserSession
    copy.presentationStyle = presentationStyle
    copy.webviewType = webviewType
    return copy
  }

  /// The names of settings that the app has set and that have no effect.
  var ineffective: [String] {
    [
      prefersEphemeralWebBrowserSession ? "prefersEphemeralWebBrowserSession" : nil,
      webviewType == .default ? nil : "webviewType",
    ].compactMap { $0 }
  }
}
