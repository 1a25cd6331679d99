public import Foundation

/// A class of objects that can be made of what an item provider has.
public protocol NSItemProviderReading: NSObjectProtocol {
  /// The types that it can be made of, the best first.
  static var readableTypeIdentifiersForItemProvider: [String] { get }
  /// Makes an object.
  ///
  /// - Throws: where `data` is none of that type.
  static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self
}
