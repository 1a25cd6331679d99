package import Foundation
package import SluiceKit

/// The content of a loaded representation, before it is converted to the form that the app
/// requested.
enum ItemContent: @unchecked Sendable {
  case object(any NSSecureCoding)
  /// Bytes of this app, or bytes of another app with their owner.
  case item(Item)
  case file(URL)

  /// Returns the bytes; nil if there are none.
  func data(_ type: String) -> Data? {
    switch self {
    case .object(let object): return ItemCoercion.data(object, type: type)
    case .item(let item): return item.data
    case .file(let url): return try? Data(contentsOf: url)
    }
  }

  /// Returns the content as an item; nil if it has no bytes.
  func item(_ type: String, name: String?) -> Item? {
    if case .item(let item) = self { return item }
    return data(type).map { Item(type: type, name: name, payload: .inline(Array($0))) }
  }
}

extension Item {
  package var data: Data {
    switch payload {
    case .inline(let bytes): Data(bytes)
    }
  }
}
