import Activation
import UniformTypes

/// Items and rules that several tests share.
enum Fixtures {
  static let image = SharedItem(types: ["public.jpeg", "public.url"])
  static let images = SharedItem(types: ["public.jpeg"], ["public.heic"])
  static let movie = SharedItem(types: ["com.apple.quicktime-movie"])
  static let webURL = SharedItem(types: ["public.url"])
  static let text = SharedItem(types: ["public.utf8-plain-text", "public.rtf"])
  static let pdf = SharedItem(types: ["com.adobe.pdf", "public.file-url"])
  static let page = SharedItem(types: ["public.url"], ["com.apple.property-list"])
  static let folder = SharedItem(types: ["public.folder"])
  static let contact = SharedItem(types: ["public.contact"])

  /// Returns an item with one attachment of each type.
  static func item(_ types: String...) -> SharedItem {
    SharedItem(attachments: types.map { SharedAttachment(registeredTypeIdentifiers: [$0]) })
  }

  /// Returns the same items with a protected app's twin types.
  static func twins(of items: [SharedItem]) -> [SharedItem] {
    items.map { item in
      SharedItem(
        attachments: item.attachments.map { attachment in
          SharedAttachment(
            registeredTypeIdentifiers: attachment.registeredTypeIdentifiers.map(IntuneTypeAlias.of))
        })
    }
  }

  static func holds(_ predicate: String, _ items: [SharedItem]) throws -> Bool {
    ActivationRule.predicate(try Predicate(parsing: predicate)).matches(items, types: .system)
  }

  /// Evaluates a predicate on the types of one attachment, for an item with only that attachment.
  static func holds(attachment predicate: String, _ types: String...) throws -> Bool {
    try holds(
      """
      SUBQUERY(extensionItems, $item, SUBQUERY($item.attachments, $a, \(predicate)).@count > 0).@count > 0
      """, [SharedItem(types: types)])
  }
}
