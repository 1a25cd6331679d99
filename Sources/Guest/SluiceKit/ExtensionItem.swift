internal import Model

/// What an app shares with an extension at once (`NSExtensionItem`).
public struct ExtensionItem {
  /// Without its attributes; nil where there is none.
  public var attributedTitle: String?
  /// Without its attributes; nil where there is none.
  public var attributedContentText: String?
  public var attachments: [ItemProvider]

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
