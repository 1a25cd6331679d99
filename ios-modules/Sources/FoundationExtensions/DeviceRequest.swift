package import SluiceKit

/// A request to this extension, passed from the connection's thread to the main thread.
package struct DeviceRequest: @unchecked Sendable {
  /// Must be used on the connection's thread only.
  let context: ExtensionContext
  let items: [SharedItem]

  struct SharedItem: Sendable {
    let title: String?
    let contentText: String?
    let attachments: [DeviceProvider]
  }

  /// Must be called on the connection's thread.
  package init(_ context: ExtensionContext) {
    self.context = context
    items = context.inputItems.map {
      SharedItem(
        title: $0.attributedTitle, contentText: $0.attributedContentText,
        attachments: $0.attachments.map { DeviceProvider($0) })
    }
  }
}
