internal import AppProcess
public import Foundation
public import UIKit

/// The system's compose sheet of share extensions.
///
/// Its user does one thing: as soon as the content is valid, the user posts it, unchanged. That is asked when the sheet
/// has appeared, and again at each `validateContent()`. Content that never becomes valid is never posted, and the
/// device ends the extension when its time is over.
@preconcurrency @MainActor
open class SLComposeServiceViewController: UIViewController,
  AppearanceObserver
{
  public let textView: UITextView! = UITextView()
  /// The text that shows while there is none. Kept, and seen by nobody.
  open var placeholder: String!
  /// Kept, and heeded by nobody.
  open var charactersRemaining: NSNumber!
  open var autoCompletionViewController: UIViewController!
  private var hasEnded = false
  private var isAsked = false

  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// The text: at first that of the item that is shared.
  open var contentText: String! { textView.text }

  open func isContentValid() -> Bool { true }

  /// Has the user look again whether the sheet can be posted.
  open func validateContent() {
    guard isAsked, !hasEnded else { return }
    postIfValid()
  }

  /// Called once, when the user posts.
  open func didSelectPost() { extensionContext?.completeRequest(returningItems: nil) }

  /// Called when the user cancels, which no user does.
  open func didSelectCancel() { cancel() }

  /// Ends the request without a result.
  open func cancel() {
    hasEnded = true
    extensionContext?.cancelRequest(withError: CocoaError(.userCancelled))
  }

  open func configurationItems() -> [Any]! { [] }
  open func reloadConfigurationItems() { _ = configurationItems() }

  /// Presents a controller in the sheet.
  open func pushConfigurationViewController(_ viewController: UIViewController!) {
    viewController.map { addChild($0) }
  }

  open func popConfigurationViewController() { children.last?.removeFromParent() }
  open func loadPreviewView() -> UIView! { nil }
  open func presentationAnimationDidFinish() {}

  open override func loadView() {
    super.loadView()
    let items = extensionContext?.inputItems.compactMap { $0 as? NSExtensionItem } ?? []
    textView.text = items.lazy.compactMap { $0.attributedContentText?.string }.first ?? ""
  }

  package func hasAppeared() {
    _ = configurationItems()
    presentationAnimationDidFinish()
    isAsked = true
    postIfValid()
  }

  private func postIfValid() {
    guard isContentValid() else {
      return AppProcess.current.logOnce("the compose sheet's content is not valid, and not posted")
    }
    // The user takes longer than the code that says so.
    Callback.onMain("didSelectPost") { [self] in
      guard !hasEnded else { return }
      hasEnded = true
      AppProcess.current.log("the user posts the compose sheet")
      didSelectPost()
    }
  }
}
