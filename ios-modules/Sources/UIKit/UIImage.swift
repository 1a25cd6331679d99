public import Foundation

/// A picture as its bytes. Nothing looks into them, and nothing converts them.
open class UIImage: NSObject, NSSecureCoding, @unchecked Sendable {
  let data: Data

  /// - Returns: nil where there are no bytes.
  public required init?(data: Data) {
    guard !data.isEmpty else { return nil }
    self.data = data
    super.init()
  }

  /// - Returns: nil where the file cannot be read.
  public convenience init?(contentsOfFile path: String) {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    self.init(data: data)
  }

  // Item providers hand pictures over as coded objects; nothing codes them.
  public static var supportsSecureCoding: Bool { true }
  public func encode(with coder: NSCoder) {}
  public required init?(coder: NSCoder) { return nil }

  /// The bytes as they are.
  public func pngData() -> Data? { data }

  /// The bytes as they are.
  public func jpegData(compressionQuality: CGFloat) -> Data? { data }
}
