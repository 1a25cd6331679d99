internal import Foundation
internal import FoundationExtensions
internal import SluiceKit

/// Converts between the representations of UIKit's pasteboard and the item of the device's
/// pasteboard. The device's pasteboard contains a single item with a single representation.
enum PasteboardMapping {
  /// The representation that the device's pasteboard will contain.
  struct Choice {
    let item: Item
    /// The number of representations that are left out: all others that have bytes, in all items.
    let leftOut: Int
  }

  /// Chooses a representation: the one with the lowest rank in the first item that has bytes.
  ///
  /// - Returns: The choice; nil if no representation has bytes.
  static func choose(_ items: [[String: Any]]) -> Choice? {
    let found = items.map { representations in
      representations.sorted { (rank($0.key), $0.key) < (rank($1.key), $1.key) }
        .compactMap { OutgoingItem.item($0.value, type: $0.key) }
    }
    let all = found.flatMap { $0 }
    return all.first.map { Choice(item: $0, leftOut: all.count - 1) }
  }

  /// Returns the rank of a type, counted from 0 in this order: plain text, URLs, images, other
  /// text, other types.
  private static func rank(_ type: String) -> Int {
    let kinds = ["public.plain-text", "public.url", "public.image", "public.text"]
    return kinds.firstIndex { TypeMatching.conforms(type, to: $0) } ?? kinds.count
  }

  /// Converts the pasteboard's item to a dictionary of UIKit, keyed by type. It has a single
  /// representation.
  static func representations(_ item: Item) -> [String: Any] {
    let value: Any =
      if TypeMatching.conforms(item.type, to: "public.url") {
        url(item).map { $0 as Any } ?? item.data
      } else if TypeMatching.conforms(item.type, to: "public.image") {
        UIImage(data: item.data).map { $0 as Any } ?? item.data
      } else {
        string(item).map { $0 as Any } ?? item.data
      }
    return [item.type: value]
  }

  static func string(_ item: Item) -> String? {
    TypeMatching.conforms(item.type, to: "public.text") ? item.text : nil
  }

  static func url(_ item: Item) -> URL? {
    guard TypeMatching.conforms(item.type, to: "public.url") else { return nil }
    return item.text.flatMap { URL(string: $0) }
  }

  static func image(_ item: Item) -> UIImage? {
    TypeMatching.conforms(item.type, to: "public.image") ? UIImage(data: item.data) : nil
  }
}
