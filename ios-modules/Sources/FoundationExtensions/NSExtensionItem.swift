public import Foundation

/// An item in a request to an extension, or in its result.
open class NSExtensionItem: NSObject {
  /// The title; nil if there is none.
  open var attributedTitle: NSAttributedString?
  /// The text that accompanies the attachments; nil if there is none.
  open var attributedContentText: NSAttributedString?
  open var attachments: [NSItemProvider]?
  /// Additional data, which never leaves this process.
  open var userInfo: [AnyHashable: Any]?

  public override init() { super.init() }
}

/// The `userInfo` key for the title.
public let NSExtensionItemAttributedTitleKey = "NSExtensionItemAttributedTitleKey"
/// The `userInfo` key for the text.
public let NSExtensionItemAttributedContentTextKey = "NSExtensionItemAttributedContentTextKey"
/// The `userInfo` key for the attachments.
public let NSExtensionItemAttachmentsKey = "NSExtensionItemAttachmentsKey"
/// The key for the results of a page script, in the dictionary that a browser shares.
public let NSExtensionJavaScriptPreprocessingResultsKey =
  "NSExtensionJavaScriptPreprocessingResultsKey"
/// The key for the values that are returned to the page's script.
public let NSExtensionJavaScriptFinalizeArgumentKey = "NSExtensionJavaScriptFinalizeArgumentKey"
