public import Foundation

/// An object that an item provider can hand over in one type or several.
public protocol NSItemProviderWriting: NSObjectProtocol {
  /// The types, the most faithful first.
  static var writableTypeIdentifiersForItemProvider: [String] { get }
  /// The types of this object, the most faithful first.
  var writableTypeIdentifiersForItemProvider: [String] { get }
  /// Makes the bytes of a type.
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
