package import SluiceKit

/// A request to this extension. It is passed from the connection's thread to the main thread.
package struct DeviceRequest: @unchecked Sendable {
  /// The context. Use it only on the connection's thread.
  let context: ExtensionContext
  let items: [SharedItem]

  struct SharedItem: Sendable {
    let title: String?
    let contentText: String?
    let attachments: [DeviceProvider]
  }

  /// Creates a request. Must be called on the connection's thread.
  package init(_ context: ExtensionContext) {
    self.context = context
    items = context.inputItems.map {
      SharedItem(
        title: $0.attributedTitle, contentText: $0.attributedContentText,
        attachments: $0.attachments.map { DeviceProvider($0) })
    }
  }
}
