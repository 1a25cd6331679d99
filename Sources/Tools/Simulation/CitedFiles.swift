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
    guard Self.endings.contains((path as NSString).pathExtension.lowercased()),
      let place = location(of: path),
      let attributes = try? FileManager.default.attributesOfItem(atPath: place),
      attributes[.type] as? FileAttributeType == .typeRegular,
      let size = attributes[.size] as? Int, size <= Self.longest,
      let data = FileManager.default.contents(atPath: place)
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  /// Where the file is; nil where it may not be shown.
  private func location(of path: String) -> String? {
    switch reach {
    case .anywhere: return Self.resolved(path)
    case .below(let folder):
      let folder = Self.resolved(folder)
      let real = Self.resolved("\(folder)/\(path)")
      return !path.hasPrefix("/") && real.hasPrefix("\(folder)/") ? real : nil
    }
  }

  private static func resolved(_ path: String) -> String {
    URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
  }
}
