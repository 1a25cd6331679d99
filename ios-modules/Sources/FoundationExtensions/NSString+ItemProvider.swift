public import Foundation

extension NSString: NSItemProviderReading, NSItemProviderWriting {
  public static var readableTypeIdentifiersForItemProvider: [String] {
    ["public.utf8-plain-text", "public.plain-text", "public.text"]
  }

  public static func object(
    withItemProviderData data: Data, typeIdentifier: String
  ) throws -> Self {
    guard let text = ItemCoercion.object(data, as: .text) as? Self else {
      throw NSItemProvider.error(.unavailableCoercionError, "the data is not UTF-8 or UTF-16 text")
    }
    return text
  }

  public static var writableTypeIdentifiersForItemProvider: [String] { ["public.utf8-plain-text"] }

  public func loadData(
    withTypeIdentifier typeIdentifier: String,
    forItemProviderCompletionHandler completionHandler:
      @escaping @Sendable (Data?, (any Error)?) ->
      Void
  ) -> Progress? {
    completionHandler(Data(description.utf8), nil)
    return nil
  }
}
