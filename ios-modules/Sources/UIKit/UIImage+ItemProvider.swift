public import Foundation
public import FoundationExtensions

extension UIImage: NSItemProviderReading, NSItemProviderWriting, DataConvertible {
  public static var readableTypeIdentifiersForItemProvider: [String] { ["public.image"] }

  public static func object(
    withItemProviderData data: Data, typeIdentifier: String
  ) throws -> Self {
    guard let image = Self(data: data) else { throw CocoaError(.fileReadCorruptFile) }
    return image
  }

  public static var writableTypeIdentifiersForItemProvider: [String] {
    ["public.png", "public.jpeg"]
  }

  public func loadData(
    withTypeIdentifier typeIdentifier: String,
    forItemProviderCompletionHandler completionHandler:
      @escaping @Sendable (Data?, (any Error)?) ->
      Void
  ) -> Progress? {
    completionHandler(data, nil)
    return nil
  }

  package func representation(ofType type: String) -> Data? { data }
}
