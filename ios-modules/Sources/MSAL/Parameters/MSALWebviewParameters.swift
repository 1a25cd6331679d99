public import Foundation
public import UIKit

public typealias MSALViewController = UIViewController

/// How the sign-in is shown. Here a step of the scenario answers it, and nothing is drawn.
open class MSALWebviewParameters: NSObject, NSCopying, @unchecked Sendable {
  /// Kept, and never presented from.
  open var parentViewController: MSALViewController
  /// Without effect.
  open var prefersEphemeralWebBrowserSession = false
  /// Without effect.
  open var presentationStyle = UIModalPresentationStyle.automatic
  /// Without effect.
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

  /// The names of what is set, and does nothing here.
  var ineffective: [String] {
    [
      prefersEphemeralWebBrowserSession ? "prefersEphemeralWebBrowserSession" : nil,
      webviewType == .default ? nil : "webviewType",
    ].compactMap { $0 }
  }
}
