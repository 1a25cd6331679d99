internal import Foundation

/// The target of an asset's `DataURL`: a path in the folder.
struct AssetLocation: Sendable, Equatable {
  var path: String

  /// - Parameter root: The folder's place on disk; nil where the folder is in memory only.
  /// - Throws: ``AssetFault`` for a URL of another kind, and for a path that leads out of the folder.
  init(_ url: String, root: String?) throws(AssetFault) {
    guard let colon = url.firstIndex(of: ":"), Self.isScheme(url[..<colon]) else {
      path = try Self.normalized(url.removingPercentEncoding ?? url)
      return
    }
    let scheme = url[..<colon].lowercased()
    guard scheme == "file" else {
      throw AssetFault(
        .cannotBeDownloaded,
        "`\(scheme):` is not fetched: put the file into the folder and write its path in it")
    }
    guard let parsed = URL(string: url), parsed.host() ?? "" == "" else {
      throw AssetFault(.cannotBeDownloaded, "a `file:` URL must name a file of this machine")
    }
    let file = parsed.standardizedFileURL.path
    guard let root, file.hasPrefix(root + "/") else {
      throw AssetFault(.cannotBeDownloaded, "the file is not in the folder of declarations")
    }
    path = try Self.normalized(String(file.dropFirst(root.count + 1)))
  }

  private static func isScheme(_ text: Substring) -> Bool {
    guard let first = text.first, first.isASCII, first.isLetter else { return false }
    return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
  }

  private static func normalized(_ path: String) throws(AssetFault) -> String {
    guard !path.isEmpty else { throw AssetFault(.cannotBeDownloaded, "the path is empty") }
    guard !path.hasPrefix("/") else {
      throw AssetFault(
        .cannotBeDownloaded,
        "the path must begin in the folder; a whole one is written as a `file:` URL")
    }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." {
        guard parts.popLast() != nil else {
          throw AssetFault(.cannotBeDownloaded, "the path leads out of the folder")
        }
      } else {
        parts.append(part)
      }
    }
    return parts.joined(separator: "/")
  }
}
