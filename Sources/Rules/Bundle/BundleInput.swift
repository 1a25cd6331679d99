internal import Encodings
internal import Foundation
package import Output

/// A bundle folder, an `Info.plist` or an entitlements file that a command examines.
package enum BundleInput: Sendable {
  /// A bundle. The second value is the app that contains it, if the bundle is an extension and the app can be read;
  /// otherwise nil.
  case bundle(AppBundle, in: AppBundle?)
  case entitlements(EntitlementsFile)

  /// An entitlements file that is examined by itself, without its bundle.
  package struct EntitlementsFile: Sendable {
    package var list: PropertyList
    package var entitlements: Entitlements
    package var findings: [BundleFinding]
  }

  /// Reads an input.
  ///
  /// - Parameters:
  ///   - entitlements: The path of the entitlements file; nil to use the one in the folder.
  ///   - isFound: Whether the input was found in a folder, not given on the command line.
  /// - Throws: ``BundleError`` for an input that cannot be read, and for an unsupported extension point.
  package init(
    at path: String, settings: BuildSettings, entitlements: String? = nil, isFound: Bool = false
  ) throws(BundleError) {
    if BundleFile.isFolder(path) || !Self.isEntitlements(path) {
      let bundle = try AppBundle(
        at: path, settings: settings, entitlements: entitlements, isFound: isFound)
      self = .bundle(bundle, in: bundle.isExtension ? Self.app(around: path, settings) : nil)
      return
    }
    let list = try BundleFile.list(path, isFound: isFound)
    let (entitlements, findings) = Entitlements.read(list, settings: settings)
    self = .entitlements(
      EntitlementsFile(
        list: list, entitlements: entitlements, findings: list.findings + findings))
  }

  private static func app(around path: String, _ settings: BuildSettings) -> AppBundle? {
    let plugIns = URL(fileURLWithPath: path).deletingLastPathComponent()
    let folder = plugIns.deletingLastPathComponent().path
    guard AppBundle.plugInFolders.contains(plugIns.lastPathComponent), folder.hasSuffix(".app")
    else { return nil }
    return try? AppBundle(at: folder, settings: settings.ofOtherTarget)
  }

  /// Returns the paths of the inputs at `path`. A file or a bundle is an input itself. In any other folder, the bundles
  /// and property lists in it and its subfolders are inputs.
  ///
  /// - Throws: ``BundleError`` for a folder without inputs.
  package static func paths(at path: String) throws(BundleError) -> [String] {
    let folder = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard BundleFile.isFolder(folder), !isBundle(folder) else { return [folder] }
    let hasList = BundleFile.exists("\(folder)/Info.plist")
    let found = (hasList ? [folder] : []) + paths(below: folder, of: hasList, depth: 0)
    guard !found.isEmpty else {
      throw BundleError(
        file: folder,
        message: "the folder and its subfolders contain neither an `Info.plist` nor bundles")
    }
    return found
  }

  private static let maximumDepth = 32
  /// The file name extensions of bundles that are not inputs, although they contain an `Info.plist`.
  private static let foreignBundles = [".bundle", ".dSYM", ".framework", ".xcframework", ".xctest"]

  /// Returns the paths of the bundles and property lists in a folder and its subfolders, in alphabetical order. Hidden
  /// files are skipped, and symbolic links to folders are not followed.
  ///
  /// - Parameter isInput: Whether the folder itself is an input. Its `Info.plist`, its entitlements and its `PlugIns`
  ///   are then parts of this input, and not inputs themselves.
  private static func paths(below folder: String, of isInput: Bool, depth: Int) -> [String] {
    guard depth < maximumDepth else { return [] }
    var found: [String] = []
    for name in BundleFile.names(in: folder) where !name.hasPrefix(".") {
      let path = "\(folder)/\(name)"
      guard BundleFile.isFolder(path) else {
        let isTaken = isInput && (name == "Info.plist" || isEntitlements(name))
        if !isTaken, isInputList(path) { found.append(path) }
        continue
      }
      if isBundle(path) {
        let isPlugIn = isInput && name.hasSuffix(".appex")
        if !isPlugIn { found.append(path) }
      } else if !BundleFile.isLink(path) {
        if foreignBundles.contains(where: { name.hasSuffix($0) }) { continue }
        let hasList = BundleFile.exists("\(path)/Info.plist")
        if hasList { found.append(path) }
        let isOfInput = isInput && AppBundle.plugInFolders.contains(name)
        found += paths(below: path, of: hasList || isOfInput, depth: depth + 1)
      }
    }
    return found
  }

  private static func isBundle(_ path: String) -> Bool {
    [".app", ".appex"].contains { path.hasSuffix($0) }
  }

  /// Returns whether a file that was found in a folder is an input: an entitlements file, an `Info.plist`, or another
  /// property list that cannot be read, is in UTF-16, or has keys of apps or extensions.
  private static func isInputList(_ path: String) -> Bool {
    if isEntitlements(path) { return true }
    guard path.hasSuffix(".plist") else { return false }
    guard !path.hasSuffix("/Info.plist"), let bytes = try? BundleFile.bytes(path, isFound: true)
    else {
      return true
    }
    let isWide = bytes.starts(with: [0xFE, 0xFF]) || bytes.starts(with: [0xFF, 0xFE])
    return isWide
      || [
        "CFBundle", "NSExtension", "IntuneMAMSettings", "UTExportedTypeDeclarations",
        "UTImportedTypeDeclarations", "LSApplicationQueriesSchemes",
      ].contains { bytes.contains(Array($0.utf8)) }
  }

  /// The error about an extension of the app that cannot be read; nil if there is none.
  package var unreadableFile: BundleError? {
    guard case .bundle(let bundle, _) = self,
      let problem = bundle.problems.first(where: { $0.rule == .unreadable })
    else { return nil }
    return BundleError(
      file: problem.file, line: problem.position?.line, column: problem.position?.column,
      message: problem.message)
  }

  fileprivate static func isEntitlements(_ path: String) -> Bool {
    path.hasSuffix(".entitlements") || path.hasSuffix(".xcent")
      || path == "entitlements.plist" || path.hasSuffix("/entitlements.plist")
  }
}

extension AppBundle {
  /// Reads a bundle and, if it is an app, its extensions.
  ///
  /// - Parameters:
  ///   - path: A folder with an `Info.plist`, or a property list.
  ///   - entitlements: The path of the entitlements file; nil to use the one in the folder, if any.
  ///   - isFound: Whether the bundle was found in a folder, not given on the command line.
  /// - Throws: ``BundleError`` for a bundle that cannot be read, and for an unsupported extension point. Errors in an
  ///   app's extensions are recorded in ``problems`` instead.
  package init(
    at path: String, settings: BuildSettings, entitlements: String? = nil, isFound: Bool = false
  ) throws(BundleError) {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    let isFolder = BundleFile.isFolder(path)
    let list = try BundleFile.list(
      isFolder ? "\(path)/Info.plist" : path, isFound: isFolder || isFound)
    let files = isFolder && entitlements == nil ? Self.entitlements(in: path) : .init()
    let granted = try (entitlements ?? files.taken).map { file throws(BundleError) in
      try BundleFile.list(file, isFound: entitlements == nil)
    }
    try self.init(
      list, entitlements: granted, settings: settings, path: path, isFolder: isFolder)
    if !files.others.isEmpty {
      let others = BundleLinter.quoted(files.others.map { ($0 as NSString).lastPathComponent })
      source.hasCandidates = files.taken == nil
      source.findings.append(
        BundleFinding(
          .entitlementsFile, file: files.taken ?? list.file, at: Position(line: 1, column: 1),
          files.taken == nil
            ? "it is unknown which of \(others) has the bundle's entitlements, so app groups and keychain groups are not checked"
            : "this file is used as the bundle's entitlements; these files are not used: \(others)")
      )
    }
    if kind == .app, isFolder { readPlugIns(in: path) }
  }

  fileprivate static let plugInFolders = ["PlugIns", "Extensions"]

  private mutating func readPlugIns(in path: String) {
    let settings = source.settings.ofOtherTarget
    for folder in Self.plugInFolders.map({ "\(path)/\($0)" }) {
      for name in BundleFile.names(in: folder) where name.hasSuffix(".appex") {
        do throws(BundleError) {
          plugIns.append(try AppBundle(at: "\(folder)/\(name)", settings: settings))
        } catch {
          problems.append(BundleFinding(error))
        }
      }
    }
  }

  private struct EntitlementsFiles {
    /// The path of the entitlements file to use; nil if there is none, or if several files are equally suitable.
    var taken: String?
    var others: [String] = []
  }

  private static func entitlements(in folder: String) -> EntitlementsFiles {
    let files = BundleFile.names(in: folder).filter { BundleInput.isEntitlements($0) }
      .map { "\(folder)/\($0)" }
    guard files.count > 1 else { return EntitlementsFiles(taken: files.first) }
    let ofPhone = files.filter { !isOfMac($0) }
    let candidates = ofPhone.isEmpty ? files : ofPhone
    for ending in [".entitlements", "entitlements.plist", ".xcent"] {
      let ofKind = candidates.filter { $0.hasSuffix(ending) }
      guard let first = ofKind.first else { continue }
      return ofKind.count == 1
        ? EntitlementsFiles(taken: first, others: files.filter { $0 != first })
        : EntitlementsFiles(others: ofKind)
    }
    return EntitlementsFiles()
  }

  /// Returns whether the entitlements are for macOS, because they have keys that exist only there. Returns false if the
  /// file cannot be read.
  ///
  /// Source: Apple, "Entitlements": App Sandbox and Hardened Runtime are macOS features.
  private static func isOfMac(_ file: String) -> Bool {
    guard let list = try? BundleFile.list(file) else { return false }
    let beginnings = ["app-sandbox", "cs.", "files.", "network.", "temporary-exception."]
    return list.dictionary.entries.contains { entry in
      beginnings.contains { entry.key.hasPrefix("com.apple.security.\($0)") }
    }
  }
}

// MARK: - Files on disk

package enum BundleFile {
  private static let standardInput = "-"

  /// Reads a file; `-` is standard input.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of bytes, because device files can be endless.
  ///   - isFound: Whether the file was found in a folder, not given on the command line. Only then are pipes and
  ///     devices rejected.
  /// - Throws: ``BundleError`` if the system cannot read the file (with the system's reason), if the file is too large,
  ///   or if it was found in a folder and is not a regular file.
  package static func bytes(
    _ path: String, atMost limit: Int = ListText.maximumSize, isFound: Bool = false
  ) throws(BundleError) -> [UInt8] {
    // `O_NONBLOCK` prevents blocking on a pipe or device; it has no effect on files.
    let descriptor =
      path == standardInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    var status = stat()
    if isFound, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw BundleError(file: path, message: "it is not a regular file")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count > 0 {
        bytes += chunk[..<count]
        guard bytes.count <= limit else {
          let size = limit % (1 << 20) == 0 ? "\(limit >> 20) MiB" : "\(limit) bytes"
          throw BundleError(file: path, message: "the file is larger than \(size)")
        }
      } else if errno != EINTR {
        throw unreadable(path)
      }
    }
  }

  /// Reads a property list.
  ///
  /// - Parameter isFound: Whether the file was found in a folder, not given on the command line.
  static func list(_ path: String, isFound: Bool = false) throws(BundleError) -> PropertyList {
    let bytes = try bytes(path, isFound: isFound)
    guard !bytes.isEmpty else { throw BundleError(file: path, message: "the file is empty") }
    guard !bytes.starts(with: Array("PK\u{3}\u{4}".utf8)) else {
      throw BundleError(
        file: path,
        message:
          "the file is a zip archive, such as an `.ipa`; unpack it, and name the app in its folder `Payload`"
      )
    }
    return try PropertyList(bytes, file: path)
  }

  package static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }

  fileprivate static func isLink(_ path: String) -> Bool {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil
  }

  /// Returns the names of the files and folders in a folder, in alphabetical order. Empty if the folder cannot be read.
  static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// Replaces the content of a file atomically. The file keeps its permissions. If the path is a symbolic link, its
  /// target is replaced.
  ///
  /// - Throws: ``BundleError`` with the system's reason. The file is then unchanged.
  package static func replace(_ path: String, with bytes: [UInt8]) throws(BundleError) {
    if path == standardInput {
      throw BundleError(file: path, message: "standard input cannot be changed; use `--diff`")
    }
    do throws(OutputError) {
      try OutputFile.write(bytes, to: path)
    } catch {
      throw BundleError(file: path, message: "cannot be written: \(error)")
    }
  }

  private static func unreadable(_ path: String) -> BundleError {
    BundleError(file: path, message: "cannot be read: \(reason)")
  }

  private static var reason: String { String(cString: strerror(errno)).lowercased() }
}

// MARK: - Errors

/// An error about a bundle, a property list or a build configuration.
package struct BundleError: Error, Sendable, Equatable, CustomStringConvertible {
  package var file: String
  /// The line of the error, from 1; nil if the error has no line.
  package var line: Int?
  /// The column of the error, from 1, in Unicode scalars; nil if the error has no column.
  package var column: Int?
  /// The message, in lower case, without full stop.
  package var message: String
  /// The rule of the finding with which `sluice bundle lint` reports the error.
  package var rule = BundleRule.unreadable

  package init(file: String, line: Int? = nil, column: Int? = nil, message: String) {
    self.file = file
    self.line = line
    self.column = column
    self.message = message
  }

  package var diagnostic: Diagnostic {
    let place = [line, column].compactMap(\.self).map { ":\($0)" }.joined()
    return Diagnostic(.path(file + place), message, rule: "bundle")
  }

  package var description: String { diagnostic.description }
}
