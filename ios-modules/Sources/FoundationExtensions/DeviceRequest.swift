package import SluiceKit

/// A request to this extension, on its way from the connection's thread to the main one.
package struct DeviceRequest: @unchecked Sendable {
  /// Of the connection's thread.
  let context: ExtensionContext
  let items: [SharedItem]

  struct SharedItem: Sendable {
    let title: String?
    let contentText: String?
    let attachments: [DeviceProvider]
  }

  /// On the connection's thread.
  package init(_ context: ExtensionContext) {
    self.context = context
    items = context.inputItems.map {
      SharedItem(
        title: $0.attributedTitle, contentText: $0.attributedContentText,
        attachments: $0.attachments.map { DeviceProvider($0) })
    }
  }
}
