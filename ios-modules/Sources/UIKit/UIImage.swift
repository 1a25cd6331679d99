public import Foundation

/// An image as uninterpreted bytes, which are never decoded or converted.
open class UIImage: NSObject, NSSecureCoding, @unchecked Sendable {
  let data: Data

  /// Creates an image from bytes.
  ///
  /// - Returns: nil if `data` is empty.
  public required init?(data: Data) {
    guard !data.isEmpty else { return nil }
    self.data = data
    super.init()
  }

  /// Creates an image from a file.
  ///
  /// - Returns: nil if the file cannot be read or is empty.
  public convenience init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    self.init(data: data)
  }

  // Item providers require a coded object, but nothing encodes images.
  public static var supportsSecureCoding: Bool { true }
  public func encode(with coder: NSCoder) {}
  public required init?(coder: NSCoder) { return nil }

  /// Returns the image's bytes unchanged, whatever their format.
  public func pngData() -> Data? { data }

  /// Returns the image's bytes unchanged, whatever their format.
  public func jpegData(compressionQuality: CGFloat) -> Data? { data }
}
