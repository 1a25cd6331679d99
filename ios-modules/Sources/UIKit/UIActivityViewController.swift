internal import AppProcess
public import Foundation
internal import SluiceKit
internal import Wire

/// The share sheet. It waits in ``PresentedPrompts`` until the user chooses a destination or cancels.
@preconcurrency @MainActor open class UIActivityViewController: UIViewController, CancellablePrompt
{
  /// A closure that receives the chosen activity and whether it completed. The array of returned items is always nil.
  public typealias CompletionWithItemsHandler = (
    UIActivity.ActivityType?, Bool, [Any]?, (any Error)?
  ) -> Void

  private let activityItems: [Any]
  open var completionWithItemsHandler: CompletionWithItemsHandler?
  /// This property has no effect, because a step of the scenario chooses the destination.
  open var excludedActivityTypes: [UIActivity.ActivityType]?

  /// Creates a share sheet.
  ///
  /// - Parameters:
  ///   - activityItems: Strings, URLs, `Data`, `UIImage`s and item providers. File URLs represent
  ///     the file's content. Other objects are ignored.
  ///   - applicationActivities: The app's own activities, which are ignored.
  public init(activityItems: [Any], applicationActivities: [UIActivity]?) {
    self.activityItems = activityItems
    super.init(nibName: nil, bundle: nil)
  }

  public required init?(coder: NSCoder) {
    activityItems = []
    super.init(coder: coder)
  }

  override var presentationNote: String {
    "the app shows the share sheet for \(activityItems.count == 1 ? "1 item" : "\(activityItems.count) items")"
  }

  override func didShow() { PresentedPrompts.shared.add(self) }
  override func didHide() { PresentedPrompts.shared.remove(self) }

  /// Shares the items with the chosen app or extension.
  ///
  /// - Parameter done: Called after the app's handler has returned.
  func share(with destination: ShareDestination, _ done: @escaping @Sendable () -> Void) {
    let sheet = Carried(self)
    let finish = { @Sendable (isDone: Bool) in
      Callback.onMain("completionWithItemsHandler") {
        sheet.take()?.finish(UIActivity.ActivityType(destination.bundleID), isDone)
        done()
      }
    }
    OutgoingItem.items(activityItems) { items in
      switch destination {
      case .app(let bundleID): Self.copy(items[...], to: bundleID, finish)
      case .appExtension(let bundleID): Self.attach(items, for: bundleID, finish)
      }
    }
  }

  /// Shares the items with an app, in one request for each item. Stops at the first item that is not delivered.
  private nonisolated static func copy(
    _ items: ArraySlice<Item>, to app: String, _ finish: @escaping @Sendable (Bool) -> Void
  ) {
    guard let next = items.first else { return finish(true) }
    AppProcess.current.tell { own in
      own.share(next, with: app) { outcome in
        guard outcome.isDelivered else { return finish(false) }
        copy(items.dropFirst(), to: app, finish)
      }
    }
  }

  /// Shares the items with an extension, in one request for all items.
  private nonisolated static func attach(
    _ items: [Item], for appExtension: String, _ finish: @escaping @Sendable (Bool) -> Void
  ) {
    AppProcess.current.tell { own in
      if items.count == 1 {
        own.share(items[0], with: appExtension) { finish($0.isDelivered) }
      } else {
        let attachments = items.map { ItemProvider(item: $0) }
        own.share([ExtensionItem(attachments: attachments)], with: appExtension) {
          finish($0.isDelivered)
        }
      }
    }
  }

  private func finish(_ activity: UIActivity.ActivityType, _ isDone: Bool) {
    completionWithItemsHandler?(activity, isDone, nil, nil)
  }

  func didCancel() { completionWithItemsHandler?(nil, false, nil, nil) }
}
