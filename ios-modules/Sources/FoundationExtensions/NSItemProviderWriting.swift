public import Foundation

/// An object that an item provider can offer in one or more types.
public protocol NSItemProviderWriting: NSObjectProtocol {
  /// The types into which objects of the class can be converted, with the most faithful type first.
  static var writableTypeIdentifiersForItemProvider: [String] { get }
  /// The types into which this object can be converted, with the most faithful type first.
  var writableTypeIdentifiersForItemProvider: [String] { get }
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
