internal import AppProcess
public import Foundation
internal import SluiceKit

/// The share sheet, which waits in ``PresentedPrompts`` for a choice.
@preconcurrency @MainActor open class UIActivityViewController: UIViewController, CancellablePrompt
{
  /// Takes what was chosen and whether it was done; an activity hands nothing back here.
  public typealias CompletionWithItemsHandler = (
    UIActivity.ActivityType?, Bool, [Any]?, (any Error)?
  ) -> Void

  private let activityItems: [Any]
  open var completionWithItemsHandler: CompletionWithItemsHandler?
  /// Kept, and heeded by nobody: a step chooses.
  open var excludedActivityTypes: [UIActivity.ActivityType]?

  /// - Parameters:
  ///   - activityItems: strings, URLs (of files for their content), `Data`, `UIImage`s and item providers; others are
  ///     left out.
  ///   - applicationActivities: the app's own, which are not offered.
  public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
    self.activityItems = activityItems
    super.init(nibName: nil, bundle: nil)
  }

  public required init?(coder: NSCoder) {
    activityItems = []
    super.init(coder: coder)
  }

  override var presentationNote: String {
    "the app shows the share sheet for \(activityItems.count) items"
  }

  override func didShow() { PresentedPrompts.shared.add(self) }
  override func didHide() { PresentedPrompts.shared.remove(self) }

  /// Shares with the chosen app or extension.
  func share(with destination: String) {
    OutgoingItem.items(activityItems) { [self] items in
      AppProcess.current.tell { app in
        let attachments = items.map { ItemProvider(item: $0) }
        app.share([ExtensionItem(attachments: attachments)], with: destination) { outcome in
          let isDone = outcome.end == .delivered || outcome.end == .deliveredEncrypted
          Callback.onMain("completionWithItemsHandler") { [self] in
            completionWithItemsHandler?(UIActivity.ActivityType(destination), isDone, nil, nil)
          }
        }
      }
    }
  }

  func didCancel() { completionWithItemsHandler?(nil, false, nil, nil) }
}
