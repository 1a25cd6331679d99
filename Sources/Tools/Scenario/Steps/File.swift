internal import Model
internal import Wire

extension Action {
  /// An operation on a file in the app's container or in an app group's container.
  package struct File: RequestStep, GuestStep {
    package enum Operation: Sendable, Equatable {
      /// Creates or replaces the file with this content.
      case write(StepItem)
      case append(StepItem)
      case read
      /// Queries the file's owner.
      case info
      case protect(owner: IdentityReference)
      case move(to: String)
      case remove
      /// Protects a text, and stores the protected bytes in the file.
      case protectData(String, owner: IdentityReference)
      case unprotectData
    }

    package var operation: Operation
    package var guest: String
    /// The file's path, relative to the container.
    package var path: String
    /// The app group; nil for the app's own container.
    package var group: String?
  }
}

extension Action.File {
  package var text: String {
    let file = "`\(short(path))`" + (group.map { " of \($0)" } ?? "")
    return switch operation {
    case .write(.stated): "\(guest) writes \(file)"
    case .append(.stated): "\(guest) appends to \(file)"
    case .write(let item): "\(guest) writes \(item.label) to \(file)"
    case .append(let item): "\(guest) appends \(item.label) to \(file)"
    case .read: "\(guest) reads \(file)"
    case .info: "\(guest) requests the owner of \(file)"
    case .protect(let owner): "\(guest) protects \(file) for \(owner.text)"
    case .move(let target): "\(guest) renames \(file) to `\(short(target))`"
    case .remove: "\(guest) removes \(file)"
    case .protectData(_, let owner): "\(guest) protects data for \(owner.text) in \(file)"
    case .unprotectData: "\(guest) unprotects the data in \(file)"
    }
  }

  package func request(in world: some StepWorld) -> StepRequest {
    let file = FileReference(path, group: group ?? "")
    return switch operation {
    case .write(let item):
      StepRequest(FileWork(.write, file, content: item.stated.bytes), item.content)
    case .append(let item):
      StepRequest(FileWork(.append, file, content: item.stated.bytes), item.content)
    case .read: StepRequest(FileWork(.read, file))
    case .info: StepRequest(.openFile(.question(about: file)))
    case .protect(let owner):
      StepRequest(FileWork(.protect, file, owner: owner.accountID(world) ?? ""))
    case .move(let target):
      StepRequest(.moveFile(file, to: FileReference(target, group: group ?? "")))
    case .remove: StepRequest(.removeFile(file))
    case .protectData(let text, let owner):
      StepRequest(
        FileWork(
          .protectData, file, content: Array(text.utf8), owner: owner.accountID(world) ?? ""))
    case .unprotectData: StepRequest(FileWork(.unprotectData, file))
    }
  }

  static let writeRow = row(
    "writeFile", "Create or replace a file with a text", textMapping, textKeys,
    example: #"{"app": "mail", "path": "figures.txt", "text": "Quarterly figures"}"#,
    synonyms: ["save", "write", "createfile"]
  ) { (fields, _) throws(InputError) in .write(try content(fields)) }

  static let appendRow = row(
    "appendFile", "Append a text to a file, or create it", textMapping, textKeys,
    example: #"{"app": "mail", "path": "figures.txt", "text": "More figures"}"#
  ) { (fields, _) throws(InputError) in .append(try content(fields)) }

  static let readRow = row(
    "readFile", "Read a file", placeMapping, placeKeys,
    example: #"{"app": "mail", "path": "figures.txt"}"#,
    synonyms: ["read", "openfile"],
    expects: .file.union([.received])
  ) { (_, _) throws(InputError) in .read }

  static let infoRow = row(
    "fileInfo", "Get a file's owner", placeMapping, placeKeys,
    example: #"{"app": "mail", "path": "figures.txt"}"#
  ) { (_, _) throws(InputError) in .info }

  static let protectRow = row(
    "protectFile", "Change a file's owner", ownerMapping, ownerKeys,
    example: #"{"app": "mail", "path": "figures.txt", "owner": "anna"}"#
  ) { (fields, names) throws(InputError) in
    .protect(owner: try names.identity(fields.required(.owner)))
  }

  static let moveRow = row(
    "moveFile", "Rename a file within its container", targetMapping, targetKeys,
    example: #"{"app": "mail", "path": "figures.txt", "to": "old.txt"}"#
  ) { (fields, _) throws(InputError) in .move(to: try fields.required(.to).text()) }

  static let removeRow = row(
    "removeFile", "Remove a file", placeMapping, placeKeys,
    example: #"{"app": "mail", "path": "figures.txt"}"#,
    synonyms: ["delete", "deletefile", "remove"]
  ) { (_, _) throws(InputError) in .remove }

  static let protectDataRow = row(
    "protectData", "Protect a text for an account, and write the result to a plain file",
    dataMapping, dataKeys,
    example:
      #"{"app": "mail", "path": "figures.bin", "text": "Quarterly figures", "owner": "anna"}"#
  ) { (fields, names) throws(InputError) in
    .protectData(
      try fields.required(.text).text(), owner: try names.identity(fields.required(.owner)))
  }

  static let unprotectDataRow = row(
    "unprotectData", "Read the text that `protectData` wrote", placeMapping, placeKeys,
    example: #"{"app": "mail", "path": "figures.bin"}"#,
    expects: .file.union([.received])
  ) { (_, _) throws(InputError) in .unprotectData }

  private static func content(_ fields: Fields<Key>) throws(InputError) -> StepItem {
    try fields.rejectConflict(.item, with: .text)
    if let item = fields[.item] { return .held(try item.word()) }
    return .stated(Item(text: try fields.required(.text).text()))
  }

  private static func row(
    _ word: String, _ summary: String, _ mapping: MappingRow, _ keys: [Key], example: String,
    synonyms: Set<String> = [],
    expects: Set<Expectation.Key> = .file,
    operation: @escaping @Sendable (Fields<Key>, Names) throws(InputError) -> Operation
  ) -> StepRow {
    StepRow(
      word, summary, .mapping(mapping), example: example, synonyms: synonyms, by: .task,
      expects: expects
    ) { (value, names) throws(InputError) in
      Action(try Action.File(word, keys, value, names, operation))
    }
  }

  private static let placeKeys: [Key] = [.app, .path, .group]
  private static let textKeys: [Key] = placeKeys + [.text, .item]
  private static let ownerKeys: [Key] = placeKeys + [.owner]
  private static let targetKeys: [Key] = placeKeys + [.to]
  private static let dataKeys: [Key] = placeKeys + [.text, .owner]

  private static let textMapping = MappingRow(
    "fileText", textKeys, "A file of an app, and a text for it",
    where: #""oneOf": [{"required": ["text"]}, {"required": ["item"]}]"#)
  private static let placeMapping = MappingRow("filePlace", placeKeys, "A file of an app")
  private static let ownerMapping = MappingRow("fileOwner", ownerKeys)
  private static let targetMapping = MappingRow("fileMove", targetKeys)
  private static let dataMapping = MappingRow(
    "fileData", dataKeys, where: #""allOf": [{"required": ["text"]}]"#)

  private enum Key: String, MappingKey {
    case app, path, group, text, item, owner, to

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .path:
        .required(
          .path, "Path of the file, relative to the container",
          synonyms: ["file", "filename", "name", "source"])
      case .group:
        .optional(.text, "App group whose container has the file. Default: the app's own container")
      case .text: .optional(.text, "Content", synonyms: ["content", "contents", "data"])
      case .item: .heldItem
      case .owner: .required(.name, "The new owner by name, or `unknown` or `unset`")
      case .to:
        .required(.text, "The new path", synonyms: ["destination", "into", "newpath", "target"])
      }
    }
  }

  private init(
    _ word: String, _ keys: [Key], _ value: YAMLValue, _ names: Names,
    _ operation: (Fields<Key>, Names) throws(InputError) -> Operation
  ) throws(InputError) {
    let fields = try Fields<Key>(value, "`\(word)`")
    for key in Key.allCases where fields[key] != nil && !keys.contains(key) {
      throw InputError(
        .conflictingKeys, at: fields.position(of: key), "`\(word)` has no `\(key.rawValue)`")
    }
    let path = try fields.required(.path)
    guard try !path.text().isEmpty else { throw path.mistake(.invalidValue, "`path` is empty") }
    self.init(
      operation: try operation(fields, names), guest: try names.guest(fields.required(.app)),
      path: try path.text(), group: try fields[.group]?.text())
  }
}
