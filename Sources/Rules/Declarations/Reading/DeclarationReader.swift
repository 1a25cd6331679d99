internal import Bundle
internal import Diagnostics
internal import JSON

/// Reads declarations from the JSON files of a folder.
struct DeclarationReader {
  private let folder: DeclarationFolder
  private(set) var declarations: [Declaration] = []
  /// Facts about the declarations that cannot be read.
  private(set) var unread = UnreadDeclarations()
  private(set) var problems: [DeclarationProblem]

  /// The keys of every declaration.
  private static let keys = ["Type", "Identifier", "ServerToken", "Payload"]
  /// The remedies for missing keys that a declaration is often written without.
  ///
  /// Source: github.com/apple/device-management, `declarative/protocol/declarationitemsresponse.yaml`: servers compute
  /// the token of a declaration.
  private static let hints = [
    "ServerToken":
      ": a server adds it when it sends the declaration; in a folder, write one, such as `\"1\"`, and another "
      + "whenever the declaration changes"
  ]
  /// Apple's limit for an identifier and a token, in bytes.
  private static let maximumLength = 64

  /// Reads all declarations of `folder`. The result does not depend on the order of files.
  init(_ folder: DeclarationFolder) {
    self.folder = folder
    problems = folder.problems
    var others: [(path: String, error: DeclarationProblem?, value: JSONValue?)] = []
    for path in folder.files.keys.sorted() where path.lowercased().hasSuffix(".json") {
      do throws(JSONSyntaxError) {
        let value = try JSONReader.read(folder.files[path] ?? [])
        if Self.isDeclaration(value) {
          read(value, path)
        } else {
          others.append((path, nil, value))
        }
      } catch {
        others.append((path, problem(error.message, path, error.position), nil))
      }
    }
    // A file that an asset names is its data, whatever is in it; all others are to be declarations.
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

  /// Whether the value is meant as declarations; nothing else has such a form.
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
      fail("`\(key)` is there twice", path, member.position)
      return nil
    }
    guard let text = member.value.string, !text.isEmpty else {
      let kind = member.value.string == nil ? member.value.kindName : "an empty one"
      fail(
        "`\(key)` must be a string that is not empty, found \(kind)", path, member.value.position)
      return nil
    }
    if key != "Type", text.utf8.count > Self.maximumLength {
      warn(
        "`\(key)` has \(text.utf8.count) bytes; a device takes at most \(Self.maximumLength)", path,
        member.value.position)
    }
    return text
  }

  /// Drops declarations that share an identifier: nobody can tell which is meant, so none holds.
  private mutating func dropTwins() {
    let groups = Dictionary(grouping: declarations, by: \.identifier)
    for (identifier, twins) in groups where twins.count > 1 {
      unread.identifiers.insert(identifier)
      for twin in twins {
        fail(
          "\(twins.count) declarations have the identifier `\(identifier)`; none of them holds",
          twin.file, twin.position)
      }
    }
    declarations = groups.values.filter { $0.count == 1 }.flatMap(\.self)
      .sorted { $0.identifier < $1.identifier }
  }

  private mutating func fail(_ message: String, _ path: String, _ position: Position) {
    problems.append(problem(message, path, position))
  }

  private mutating func warn(_ message: String, _ path: String, _ position: Position) {
    problems.append(
      DeclarationProblem(
        severity: .warning, file: folder.display(path), position: position, message: message))
  }

  private func problem(
    _ message: String, _ path: String, _ position: Position
  ) -> DeclarationProblem {
    DeclarationProblem(
      severity: .error, file: folder.display(path), position: position, message: message)
  }
}

/// Facts about declarations that cannot be read. References to them are not reported again.
struct UnreadDeclarations {
  /// The identifiers of declarations with a mistake, and of those that share one.
  var identifiers: Set<String> = []
  /// The contents of files that are not JSON.
  var files: [[UInt8]] = []

  /// Whether a declaration that cannot be read has, or may have, the identifier.
  func mayHave(_ identifier: String) -> Bool {
    identifiers.contains(identifier)
      || files.contains { $0.contains(Array("\"\(identifier)\"".utf8)) }
  }
}
