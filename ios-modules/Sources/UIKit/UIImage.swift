public import Foundation

/// An image as uninterpreted bytes, which are never decoded or converted.
open class UIImage: NSObject, NSSecureCoding, @unchecked Sendable {
  let data: Data

  /// - Returns: nil if `data` is empty.
  public required init?(data: Data) {
    guard !data.isEmpty else { return nil }
    self.data = data
    super.init()
  }

  /// - Returns: nil if the file cannot be read.
  public convenience init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    self.init(data: data)
  }

  // Item providers treat images as coded objects, but nothing encodes them.
  public static var supportsSecureCoding: Bool { true }
  public func encode(with coder: NSCoder) {}
  public required init?(coder: NSCoder) { return nil }

  /// The original bytes.
  public func pngData() -> Data? { data }

  /// The original bytes.
  public func jpegData(compressionQuality: CGFloat) -> Data? { data }
}
