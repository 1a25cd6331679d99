public import Foundation

/// An item in a request to an extension, or in its result.
open class NSExtensionItem: NSObject {
  /// The title; nil if there is none.
  open var attributedTitle: NSAttributedString?
  /// The text that accompanies the attachments; nil if there is none.
  open var attributedContentText: NSAttributedString?
  open var attachments: [NSItemProvider]?
  /// Additional data, which does not leave this process.
  open var userInfo: [AnyHashable: Any]?

  public override init() { super.init() }
}

/// The `userInfo` key of the title.
public let NSExtensionItemAttributedTitleKey = "NSExtensionItemAttributedTitleKey"
/// The `userInfo` key of the text.
public let NSExtensionItemAttributedContentTextKey = "NSExtensionItemAttributedContentTextKey"
/// The `userInfo` key of the attachments.
public let NSExtensionItemAttachmentsKey = "NSExtensionItemAttachmentsKey"
/// The key of a page script's results, in the dictionary that a browser shares.
public let NSExtensionJavaScriptPreprocessingResultsKey =
  "NSExtensionJavaScriptPreprocessingResultsKey"
/// The key of the values returned to the page's script.
public let NSExtensionJavaScriptFinalizeArgumentKey = "NSExtensionJavaScriptFinalizeArgumentKey"
