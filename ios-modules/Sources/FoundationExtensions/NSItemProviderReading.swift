public import Foundation

/// A class whose objects can be created from an item provider's data.
public protocol NSItemProviderReading: NSObjectProtocol {
  /// The readable types, with the most suitable type first.
  static var readableTypeIdentifiersForItemProvider: [String] { get }
  /// Creates an object from data.
  ///
  /// - Throws: An error if `data` is not of this type.
  static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self
}
