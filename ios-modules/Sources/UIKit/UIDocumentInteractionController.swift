internal import AppProcess
public import Foundation
internal import SluiceKit

/// Offers to open a document in other apps. The menu is not drawn. The trace reports it, but no step of a scenario can
/// answer it. Code can choose an app with ``open(in:)``.
@preconcurrency @MainActor open class UIDocumentInteractionController: NSObject {
  open var url: URL?
  open var name: String?
  open var uti: String?
  /// This property has no effect.
  open var annotation: Any?
  open weak var delegate: (any UIDocumentInteractionControllerDelegate)?
  /// The controller whose menu is currently shown; nil if no menu is shown.
  public private(set) static var shown: UIDocumentInteractionController?

  public init(url: URL) {
    self.url = url
    super.init()
  }

  open func presentOpenInMenu(from rect: CGRect, in view: UIView, animated: Bool) -> Bool { show() }

  open func presentOptionsMenu(from rect: CGRect, in view: UIView, animated: Bool) -> Bool {
    show()
  }

  /// Shows a menu instead of a preview.
  open func presentPreview(animated: Bool) -> Bool { show() }

  open func dismissMenu(animated: Bool) { if Self.shown === self { Self.shown = nil } }

  private func show() -> Bool {
    MainThread.check("UIDocumentInteractionController.presentOpenInMenu")
    AppProcess.current.log("the app offers to open `\(url?.lastPathComponent ?? "")` elsewhere")
    Self.shown = self
    return true
  }

  /// Opens the document in the app `bundleIdentifier`, as if the user had chosen this app. Does nothing if the document
  /// cannot be read.
  public func open(in bundleIdentifier: String) {
    dismissMenu(animated: false)
    guard let item = url.flatMap({ OutgoingItem.item($0, type: uti) }) else { return }
    delegate?.documentInteractionController(self, willBeginSendingToApplication: bundleIdentifier)
    AppProcess.current.tell { app in
      app.open(item, in: bundleIdentifier) { [self] _ in
        Callback.onMain("didEndSendingToApplication") { [self] in
          delegate?.documentInteractionController(
            self, didEndSendingToApplication: bundleIdentifier)
        }
      }
    }
  }
}

/// Receives the calls of a document interaction controller. All methods are optional.
@preconcurrency @MainActor
public protocol UIDocumentInteractionControllerDelegate:
  NSObjectProtocol
{
  /// This method is never called.
  func documentInteractionControllerViewControllerForPreview(
    _ controller: UIDocumentInteractionController
  ) -> UIViewController
  func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    willBeginSendingToApplication application: String?)
  func documentInteractionController(
    _ controller: UIDocumentInteractionController, didEndSendingToApplication application: String?)
}

extension UIDocumentInteractionControllerDelegate {
  public func documentInteractionControllerViewControllerForPreview(
    _ controller: UIDocumentInteractionController
  ) -> UIViewController { UIViewController() }
  public func documentInteractionController(
    _ controller: UIDocumentInteractionController,
    willBeginSendingToApplication application: String?
  ) {}
  public func documentInteractionController(
    _ controller: UIDocumentInteractionController, didEndSendingToApplication application: String?
  ) {}
}
