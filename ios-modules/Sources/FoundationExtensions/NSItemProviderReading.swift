public import Foundation

/// A class whose objects can be created from an item provider's data.
public protocol NSItemProviderReading: NSObjectProtocol {
  /// The readable types, best first.
  static var readableTypeIdentifiersForItemProvider: [String] { get }
  /// Creates an object from data.
  ///
  /// - Throws: an error if `data` is not of this type.
  static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self
}
