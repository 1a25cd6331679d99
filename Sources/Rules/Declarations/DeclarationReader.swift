internal import Bundle
internal import Encodings
internal import Foundation
internal import Output

/// Reads declarations from the JSON files of a folder.
struct DeclarationReader {
  private let folder: DeclarationFolder
  private(set) var declarations: [Declaration] = []
  private(set) var unread = UnreadDeclarations()
  private(set) var problems: [DeclarationDiagnostic]

  /// The required keys of a declaration.
  private static let keys = ["Type", "Identifier", "ServerToken", "Payload"]
  /// The end of the error message for each key that is often omitted. It explains how to add the key.
  ///
  /// Source: github.com/apple/device-management, `declarative/protocol/declarationitemsresponse.yaml`: servers compute
  /// the token of a declaration.
  private static let hints = [
    "ServerToken":
      ": a server adds it when it sends the declaration; in a folder, write one, such as `\"1\"`, and another "
      + "whenever the declaration changes"
  ]
  /// Apple's limit for the length of an identifier and of a token, in bytes.
  private static let maximumLength = 64

  /// Reads all declarations of `folder`. The result does not depend on the order of files.
  init(_ folder: DeclarationFolder) {
    self.folder = folder
    problems = folder.problems
    var others: [(path: String, error: DeclarationDiagnostic?, value: JSONValue?)] = []
    for path in folder.files.keys.sorted() where path.lowercased().hasSuffix(".json") {
      do throws(JSONSyntaxError) {
        let value = try JSONReader.read(folder.files[path] ?? [])
        if Self.isDeclaration(value) {
          read(value, path)
        } else {
          others.append((path, nil, value))
        }
      } catch {
        others.append((path, folder.problem(.error, error.message, path, error.position), nil))
      }
    }
    // Files referenced by assets and as profiles are data, even if they look like declarations. All other files must be
    // declarations.
    let data = assetPaths()
    for file in others where !data.contains(file.path) {
      if let error = file.error {
        problems.append(error)
        unread.files.append(folder.files[file.path] ?? [])
      }
      if let value = file.value { read(value, file.path) }
    }
    dropTwins()
  }

  /// Returns whether the value looks like a declaration, or is an array that contains such a value.
  private static func isDeclaration(_ value: JSONValue) -> Bool {
    if let elements = value.array { return elements.contains(where: isDeclaration) }
    return value["Type"]?.string != nil && value["Identifier"]?.string != nil
      && value["Payload"]?.members != nil
  }

  private func assetPaths() -> Set<String> {
    var paths: Set<String> = []
    for declaration in declarations {
      let url: String? =
        switch declaration.kind {
        case .asset: declaration.payload["Reference"]?["DataURL"]?.string
        case .configuration: declaration.payload["ProfileURL"]?.string
        case .activation, .management: nil
        }
      guard let url else { continue }
      if let location = try? AssetLocation(url, root: folder.root) { paths.insert(location.path) }
    }
    return paths
  }

  private mutating func read(_ value: JSONValue, _ path: String) {
    if let elements = value.array {
      for element in elements { readOne(element, path) }
    } else {
      readOne(value, path)
    }
  }

  private mutating func readOne(_ value: JSONValue, _ path: String) {
    guard let members = value.members else {
      return fail("a declaration must be an object, found \(value.kindName)", path, value.position)
    }
    guard members.contains(where: { Self.keys.contains($0.name) }) else {
      return fail(
        "neither a declaration nor the data of an asset: it has no `Type`, and no `DataURL` "
          + "names the file", path, value.position)
    }
    let count = problems.count
    for member in members where !Self.keys.contains(member.name) {
      warn(
        "unknown key `\(member.name)`" + Suggestion.nearest(to: member.name, among: Self.keys),
        path,
        member.position)
    }
    let texts = ["Type", "Identifier", "ServerToken"].map { text($0, of: value, path) }
    if value["Payload"]?.members == nil {
      let found = value["Payload"].map { "must be an object, found \($0.kindName)" } ?? "is missing"
      fail("`Payload` \(found)", path, value["Payload"]?.position ?? value.position)
    }
    guard let payload = value["Payload"], let type = texts[0], let identifier = texts[1],
      let token = texts[2], !problems[count...].contains(where: { $0.severity == .error })
    else {
      if let identifier = texts[1] { unread.identifiers.insert(identifier) }
      return
    }
    declarations.append(
      Declaration(
        typeName: type, identifier: identifier, serverToken: token, payload: payload, file: path,
        position: value.position))
  }

  private mutating func text(_ key: String, of value: JSONValue, _ path: String) -> String? {
    let found = (value.members ?? []).filter { $0.name == key }
    guard let member = found.last else {
      fail("`\(key)` is missing" + (Self.hints[key] ?? ""), path, value.position)
      return nil
    }
    guard found.count == 1 else {
      fail("`\(key)` appears twice", path, member.position)
      return nil
    }
    guard let text = member.value.string, !text.isEmpty else {
      let kind = member.value.string == nil ? member.value.kindName : "an empty one"
      fail(
        "`\(key)` must be a non-empty string, found \(kind)", path, member.value.position)
      return nil
    }
    if key != "Type", text.utf8.count > Self.maximumLength {
      warn(
        "`\(key)` has \(text.utf8.count) bytes; the maximum is \(Self.maximumLength)", path,
        member.value.position)
    }
    return text
  }

  /// Removes all declarations that share an identifier, because the author may want any one of them. Reports an error
  /// for each.
  private mutating func dropTwins() {
    let groups = Dictionary(grouping: declarations, by: \.identifier)
    for (identifier, twins) in groups where twins.count > 1 {
      unread.identifiers.insert(identifier)
      for twin in twins {
        fail(
          "\(twins.count) declarations have the identifier `\(identifier)`; none of them is valid",
          twin.file, twin.position)
      }
    }
    declarations = groups.values.filter { $0.count == 1 }.flatMap(\.self)
      .sorted { $0.identifier < $1.identifier }
  }

  private mutating func fail(_ message: String, _ path: String, _ position: Position) {
    problems.append(folder.problem(.error, message, path, position))
  }

  private mutating func warn(_ message: String, _ path: String, _ position: Position) {
    problems.append(folder.problem(.warning, message, path, position))
  }
}

/// The declarations that could not be read. References to them cause no further errors.
struct UnreadDeclarations {
  /// The identifiers of declarations that have an error or share their identifier with another declaration.
  var identifiers: Set<String> = []
  /// The contents of files that should contain declarations but are not JSON.
  var files: [[UInt8]] = []

  /// Returns whether a declaration that could not be read has, or may have, the identifier.
  func mayHave(_ identifier: String) -> Bool {
    identifiers.contains(identifier)
      || files.contains { $0.contains(Array("\"\(identifier)\"".utf8)) }
  }
}

// MARK: - Folder

/// The files of a folder of declarations: the declarations and the data of assets.
package struct DeclarationFolder: Sendable {
  /// The folder's name as the user wrote it. All paths in messages begin with it.
  package let name: String
  /// The contents of the files, by path in the folder, with `/` as separator.
  package private(set) var files: [String: [UInt8]]
  /// The problems with files that could not be read.
  package private(set) var problems: [DeclarationDiagnostic] = []
  /// The folder's location on disk; nil for a folder in memory.
  let root: String?
  /// The path from which the folder is read; empty for a folder in memory.
  private let place: String
  /// Whether the user named a single file instead of a folder. All messages then refer to that file.
  let isOneFile: Bool

  /// The number of files, folders and other entries found so far.
  private var entryCount = 0

  /// The maximum number of entries in a folder and its subfolders. Further entries are not read.
  static let maximumEntries = 10_000
  /// The maximum size of a file, in bytes.
  static let maximumFileSize = 16 << 20
  /// The maximum size of all files together, in bytes.
  private static let maximumSize = 256 << 20
  /// The maximum depth of nested folders.
  static let maximumDepth = 32

  /// Creates a folder in memory.
  package init(name: String, files: [String: [UInt8]]) {
    self.init(name: name, files: files, isOneFile: false)
  }

  init(name: String, files: [String: [UInt8]], isOneFile: Bool) {
    self.name = name
    self.files = files
    self.isOneFile = isOneFile
    root = nil
    place = ""
  }

  /// Reads a folder and its subfolders. Skips hidden files and does not follow symbolic links.
  ///
  /// - Parameter name: The name of the folder in messages; nil to use its path.
  /// - Throws: ``DeclarationDiagnostic`` if `path` is not a folder. Other files and folders that cannot be read become
  ///   ``problems``.
  package init(at path: String, called name: String? = nil) throws(DeclarationDiagnostic) {
    let name = name ?? path
    self.name = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
    place = path
    isOneFile = false
    files = [:]
    root = URL(fileURLWithPath: path).standardizedFileURL.path
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw DeclarationDiagnostic(
        severity: .error, file: self.name, message: "the folder does not exist")
    }
    guard isFolder.boolValue else {
      throw DeclarationDiagnostic(
        severity: .error, file: self.name,
        message: "expected a folder of declarations, found a file")
    }
    var size = 0
    read("", depth: 0, &size)
  }

  /// Returns the path of a file as messages show it: the folder's name, then `path`. If the user named a single file,
  /// only its name.
  func display(_ path: String) -> String {
    path.isEmpty || isOneFile ? name : "\(name)/\(path)"
  }

  func problem(
    _ severity: DeclarationDiagnostic.Severity, _ message: String, _ path: String,
    _ position: Position
  ) -> DeclarationDiagnostic {
    DeclarationDiagnostic(
      severity: severity, file: display(path), position: position, message: message)
  }

  private func place(of path: String) -> String { path.isEmpty ? place : "\(place)/\(path)" }

  private mutating func read(_ folder: String, depth: Int, _ size: inout Int) {
    guard depth <= Self.maximumDepth else {
      return refuse(folder, "folders nest deeper than \(Self.maximumDepth) levels")
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: place(of: folder)).sorted()
    } catch {
      return refuse(folder, "the folder cannot be read")
    }
    for name in names where !name.hasPrefix(".") {
      guard entryCount <= Self.maximumEntries else { return }
      entryCount += 1
      let path = folder.isEmpty ? name : "\(folder)/\(name)"
      guard entryCount <= Self.maximumEntries else {
        return refuse(
          path, "not read: the folder has more than \(Self.maximumEntries) files and folders")
      }
      switch kind(of: path) {
      case .folder: read(path, depth: depth + 1, &size)
      case .file(let count): readFile(path, count, &size)
      case .link: refuse(path, "a symbolic link, which is not followed")
      case .other: refuse(path, "neither a file nor a folder")
      }
    }
  }

  private enum Kind {
    case folder, link, other
    case file(size: Int)
  }

  private func kind(of path: String) -> Kind {
    var status = stat()
    guard lstat(place(of: path), &status) == 0 else { return .other }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return .file(size: Int(status.st_size))
    case S_IFLNK: return .link
    default:  // open: any other type of file
      return .other
    }
  }

  private mutating func readFile(_ path: String, _ count: Int, _ size: inout Int) {
    guard count <= Self.maximumFileSize else {
      return refuse(path, "the file has \(count) bytes; the maximum is \(Self.maximumFileSize)")
    }
    guard size + count <= Self.maximumSize else {
      return refuse(path, "not read: the folder has more than \(Self.maximumSize) bytes")
    }
    do throws(BundleError) {
      // The size from `lstat` is not reliable: it is 0 for files in `/proc`, and a file may grow.
      let rest = min(Self.maximumFileSize, Self.maximumSize - size)
      let bytes = try BundleFile.bytes(place(of: path), atMost: rest)
      size += bytes.count
      files[path] = bytes
    } catch {
      refuse(path, error.message)
    }
  }

  private mutating func refuse(_ path: String, _ message: String) {
    problems.append(
      DeclarationDiagnostic(severity: .error, file: display(path), message: message))
  }
}
