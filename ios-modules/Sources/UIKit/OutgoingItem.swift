internal import Foundation
internal import FoundationExtensions
internal import SluiceKit

/// Converts the app's objects to items that leave the app.
enum OutgoingItem {
  /// Converts an object to an item. Returns nil if the object is an unreadable file or has an unsupported type. Item
  /// providers are unsupported, because they load asynchronously.
  ///
  /// - Parameter type: The type given by the app; nil for the object's own type.
  static func item(_ object: Any, type: String? = nil) -> Item? {
    switch object {
    case let text as String: return item(Data(text.utf8), type ?? "public.utf8-plain-text")
    case let text as NSAttributedString:
      return item(Data(text.string.utf8), type ?? "public.utf8-plain-text")
    case let url as URL where url.isFileURL && type != "public.file-url": return file(url, type)
    case let url as URL: return item(Data(url.absoluteString.utf8), type ?? "public.url")
    case let image as UIImage: return item(image.data, type ?? "public.png")
    case let data as Data: return item(data, type ?? "public.data")
    default:  // open: any other object
      return nil
    }
  }

  private static func item(_ data: Data, _ type: String) -> Item {
    Item(type: type, payload: .inline(Array(data)))
  }

  private static func file(_ url: URL, _ type: String?) -> Item? {
    guard let data = try? Data(contentsOf: url) else { return nil }
    let found = UTTypeName.ofFile(url)
    return Item(
      type: type ?? found, name: url.lastPathComponent, payload: .inline(Array(data)))
  }

  /// Converts objects to items, in the same order. Item providers are supported. Objects without bytes are omitted.
  ///
  /// - Parameter done: Called on any thread.
  static func items(_ objects: [Any], _ done: @escaping @Sendable ([Item]) -> Void) {
    gather(objects.map { part($0) }[...], into: [], done)
  }

  private enum Part: Sendable {
    case item(Item?)
    case provider(NSItemProvider)
  }

  private static func part(_ object: Any) -> Part {
    (object as? NSItemProvider).map { .provider($0) } ?? .item(item(object))
  }

  private static func gather(
    _ parts: ArraySlice<Part>, into found: [Item], _ done: @escaping @Sendable ([Item]) -> Void
  ) {
    switch parts.first {
    case nil: done(found)
    case .item(let item)?:
      gather(parts.dropFirst(), into: found + (item.map { [$0] } ?? []), done)
    case .provider(let provider)?:
      provider.fetchItem { item in
        gather(parts.dropFirst(), into: found + (item.map { [$0] } ?? []), done)
      }
    }
  }
}
