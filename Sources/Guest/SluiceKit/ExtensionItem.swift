internal import Model

/// An item that an app shares with an extension, with all its attachments (`NSExtensionItem`).
public struct ExtensionItem {
  /// The title without its attributes; nil where there is none.
  public var attributedTitle: String?
  /// The content text without its attributes; nil where there is none.
  public var attributedContentText: String?
  public var attachments: [ItemProvider]

  /// An item with the given attachments.
  public init(
    attributedTitle: String? = nil, attributedContentText: String? = nil,
    attachments: [ItemProvider] = []
  ) {
    self.attributedTitle = attributedTitle
    self.attributedContentText = attributedContentText
    self.attachments = attachments
  }

  var offered: OfferedItem {
    OfferedItem(
      title: attributedTitle, contentText: attributedContentText,
      attachments: attachments.map(\.offered))
  }
}
