internal import Foundation

/// The files whose lines verdicts and scenarios name, as far as a page may show them.
///
/// A journal may come from anybody and name any file, and the page goes to others. So of what a journal names, it shows
/// policies, scenarios and property lists below one folder, and no file else.
public struct CitedFiles: Sendable {
  private let reach: Reach

  /// The files that may be shown.
  public enum Reach: Sendable {
    /// Those that are below a folder, by relative paths from there.
    case below(String)
    /// All, because the tool has read them itself.
    case anywhere
  }

  /// The longest file that is shown, in bytes.
  private static let longest = 1 << 20
  private static let endings: Set = ["json", "yaml", "yml", "plist", "mobileconfig", "xml"]

  /// The files within `reach`.
  public init(_ reach: Reach) { self.reach = reach }

  /// The text of a file; nil where it may not be shown, is none, or is too long.
  public func text(of path: String) -> String? {
    guard let place = location(of: path),
      Self.endings.contains((place as NSString).pathExtension.lowercased()),
      let attributes = try? FileManager.default.attributesOfItem(atPath: place),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let size = attributes[.size] as? Int, size <= Self.longest,
      let data = FileManager.default.contents(atPath: place)
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  /// Where the file is, without links; nil where there is none, or it may not be shown.
  private func location(of path: String) -> String? {
    switch reach {
    case .anywhere: return Self.resolved(path)
    case .below(let folder):
      guard !path.hasPrefix("/"), let folder = Self.resolved(folder),
        let place = Self.resolved("\(folder)/\(path)"),
        // Byte by byte: names that look the same may be two.
        place.utf8.starts(with: "\(folder)/".utf8)
      else { return nil }
      let parts = place.utf8.dropFirst(folder.utf8.count).split(separator: UInt8(ascii: "/"))
      return parts.contains { $0.first == UInt8(ascii: ".") } ? nil : place
    }
  }

  /// The path that the system finds the file at.
  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
