public import Foundation

/// One item that is shared with an extension, or handed back by it.
open class NSExtensionItem: NSObject {
  /// The title; nil where there is none.
  open var attributedTitle: NSAttributedString?
  /// The text beside the attachments; nil where there is none.
  open var attributedContentText: NSAttributedString?
  open var attachments: [NSItemProvider]?
  /// What else goes along. It stays in this process.
  open var userInfo: [AnyHashable: Any]?

  public override init() { super.init() }
}

/// The key in `userInfo` of the title.
public let NSExtensionItemAttributedTitleKey = "NSExtensionItemAttributedTitleKey"
/// The key in `userInfo` of the text.
public let NSExtensionItemAttributedContentTextKey = "NSExtensionItemAttributedContentTextKey"
/// The key in `userInfo` of the attachments.
public let NSExtensionItemAttachmentsKey = "NSExtensionItemAttachmentsKey"
/// The key of what a page's script has found, in the dictionary that a browser shares.
public let NSExtensionJavaScriptPreprocessingResultsKey =
  "NSExtensionJavaScriptPreprocessingResultsKey"
/// The key of what goes back to the page's script.
public let NSExtensionJavaScriptFinalizeArgumentKey = "NSExtensionJavaScriptFinalizeArgumentKey"
