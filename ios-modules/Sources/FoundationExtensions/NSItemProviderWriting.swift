public import Foundation

/// An object that an item provider can offer in one or more types.
public protocol NSItemProviderWriting: NSObjectProtocol {
  /// The types of the class, most faithful first.
  static var writableTypeIdentifiersForItemProvider: [String] { get }
  /// The types of this object, most faithful first.
  var writableTypeIdentifiersForItemProvider: [String] { get }
  /// Creates the data of a type.
  func loadData(
    withTypeIdentifier typeIdentifier: String,
    forItemProviderCompletionHandler completionHandler:
      @escaping @Sendable (Data?, (any Error)?) ->
      Void
  ) -> Progress?
}

extension NSItemProviderWriting {
  public var writableTypeIdentifiersForItemProvider: [String] {
    Self.writableTypeIdentifiersForItemProvider
  }
}
