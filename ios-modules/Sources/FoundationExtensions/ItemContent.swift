package import Foundation
package import SluiceKit

/// What has been loaded, before it is brought into the form that was asked for.
enum ItemContent: @unchecked Sendable {
  case object(any NSSecureCoding)
  /// Bytes of the app's own, or of another app's with their owner.
  case item(Item)
  case file(URL)

  /// The bytes; nil where there are none.
  func data(_ type: String) -> Data? {
    switch self {
    case .object(let object): return ItemCoercion.data(object, type: type)
    case .item(let item): return item.data
    case .file(let url): return try? Data(contentsOf: url)
    }
  }

  /// The content as an item; nil where it has no bytes.
  func item(_ type: String, name: String?) -> Item? {
    if case .item(let item) = self { return item }
    return data(type).map { Item(type: type, name: name, payload: .inline(Array($0))) }
  }
}

extension Item {
  /// The payload.
  package var data: Data {
    switch payload {
    case .inline(let bytes): Data(bytes)
    }
  }
}
