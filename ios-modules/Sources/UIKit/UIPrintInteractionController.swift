internal import AppProcess
public import Foundation
internal import SluiceKit

/// The print dialog. Presenting it prints the items, if the policies permit it.
@preconcurrency @MainActor open class UIPrintInteractionController: NSObject {
  public typealias CompletionHandler =
    @MainActor @Sendable (
      UIPrintInteractionController, Bool, (any Error)?
    ) -> Void

  public static let shared = UIPrintInteractionController()

  /// This property has no effect.
  open var printInfo: UIPrintInfo?
  open var printingItem: Any?
  open var printingItems: [Any]?

  open class var isPrintingAvailable: Bool { true }
  open class func canPrint(_ url: URL) -> Bool { true }
  open class func canPrint(_ data: Data) -> Bool { true }

  /// Prints the items, one at a time.
  ///
  /// - Parameter completion: Called on the main thread with true if all items were printed.
  @discardableResult
  open func present(animated: Bool, completionHandler completion: CompletionHandler? = nil) -> Bool
  {
    MainThread.check("UIPrintInteractionController.present")
    let objects = printingItems ?? printingItem.map { [$0] } ?? []
    let handler = Carried((controller: self, completion: completion))
    OutgoingItem.items(objects) { items in
      Self.print(items[...]) { isDone in
        Callback.onMain("UIPrintInteractionController's handler") {
          guard let (controller, completion) = handler.take() else { return }
          completion?(controller, isDone, nil)
        }
      }
    }
    return true
  }

  private nonisolated static func print(
    _ items: ArraySlice<Item>, _ done: @escaping @Sendable (Bool) -> Void
  ) {
    guard let next = items.first else { return done(true) }
    AppProcess.current.tell { app in
      app.hand(next, to: .print) { outcome in
        guard outcome.isDelivered else { return done(false) }
        print(items.dropFirst(), done)
      }
    }
  }
}
