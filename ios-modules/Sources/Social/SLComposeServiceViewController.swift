internal import AppProcess
public import Foundation
public import UIKit

/// The system's compose sheet for share extensions.
///
/// The simulated user posts the content unchanged as soon as it is valid. Validity is checked when
/// the sheet appears and at each call of `validateContent()`. If the content never becomes valid,
/// the device ends the extension after its time limit.
@preconcurrency @MainActor
open class SLComposeServiceViewController: UIViewController,
  AppearanceObserver
{
  public let textView: UITextView! = UITextView()
  /// The placeholder for an empty text. It has no effect.
  open var placeholder: String!
  /// This property has no effect.
  open var charactersRemaining: NSNumber!
  open var autoCompletionViewController: UIViewController!
  private var hasEnded = false
  private var isAsked = false

  public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
    super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
  }

  public required init?(coder: NSCoder) { super.init(coder: coder) }

  /// The text in the sheet. Initially, it is the first text of the shared items.
  open var contentText: String! { textView.text }

  open func isContentValid() -> Bool { true }

  /// Checks again whether the content is valid. If it is, the simulated user posts it.
  open func validateContent() {
    guard isAsked, !hasEnded else { return }
    postIfValid()
  }

  /// Called at most once, when the user posts the content.
  open func didSelectPost() { extensionContext?.completeRequest(returningItems: nil) }

  /// This method is never called, because the simulated user does not cancel.
  open func didSelectCancel() { cancel() }

  /// Cancels the request, which then has no result.
  open func cancel() {
    hasEnded = true
    extensionContext?.cancelRequest(withError: CocoaError(.userCancelled))
  }

  open func configurationItems() -> [Any]! { [] }
  open func reloadConfigurationItems() { _ = configurationItems() }

  /// Adds a view controller to the sheet's children.
  open func pushConfigurationViewController(_ viewController: UIViewController!) {
    viewController.map { addChild($0) }
  }

  open func popConfigurationViewController() { children.last?.removeFromParent() }
  /// This method is never called.
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
      return AppProcess.current.logOnce(
        "the compose sheet's content is invalid, so it is not posted")
    }
    // The user posts asynchronously, after the code that made the content valid has returned.
    Callback.onMain("didSelectPost") { [self] in
      guard !hasEnded else { return }
      hasEnded = true
      AppProcess.current.log("the user posts the compose sheet")
      didSelectPost()
    }
  }
}
