public import Foundation

extension NSURL: NSItemProviderReading, NSItemProviderWriting {
  public static var readableTypeIdentifiersForItemProvider: [String] {
    ["public.url", "public.file-url"]
  }

  public static func object(
    withItemProviderData data: Data, typeIdentifier: String
  ) throws -> Self {
    guard let url = ItemCoercion.object(data, as: .url) as? Self else {
      throw NSItemProvider.error(.unavailableCoercionError, "the data is not a UTF-8 URL")
    }
    return url
  }

  public static var writableTypeIdentifiersForItemProvider: [String] { ["public.url"] }

  public func loadData(
    withTypeIdentifier typeIdentifier: String,
    forItemProviderCompletionHandler completionHandler:
      @escaping @Sendable (Data?, (any Error)?) ->
      Void
  ) -> Progress? {
    completionHandler(Data((self as URL).absoluteString.utf8), nil)
    return nil
  }
}
