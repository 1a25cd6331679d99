internal import Encodings
package import Model
package import Output
package import Policy

/// A file of app protection policies while an administrator changes it.
///
/// The draft holds only the settings that differ from the file, so a setting that is changed back leaves no trace.
package struct PolicyDraft: Sendable {
  /// The path as the user gave it.
  package let file: String
  /// The content of the file when it was last read or saved.
  package private(set) var saved: [UInt8]
  /// The policies of the saved file.
  package private(set) var originals: [PolicyDocument]
  /// The policies with the changes, in the same order.
  package private(set) var policies: [PolicyDocument]
  private var changes: Changes = [:]
  private var undone: [Changes] = []
  private var done: [Changes] = []

  /// The changed settings of each policy, by its index.
  private typealias Changes = [Int: [Setting: JSONValue]]

  /// The maximum number of changes that can be undone.
  private static let historyLength = 1_000

  /// Begins to change a file.
  ///
  /// - Throws: ``PolicyErrors`` if the file is not one of policies.
  package init(_ bytes: [UInt8], file: String) throws(PolicyErrors) {
    self.file = file
    saved = bytes
    originals = try PolicyReader.read(bytes, file: file)
    policies = originals
  }

  package var isChanged: Bool { !changes.isEmpty }
  package var canUndo: Bool { !done.isEmpty }
  package var canRedo: Bool { !undone.isEmpty }

  /// The file with the changes. All bytes outside of the changed values are those of the saved file.
  package var bytes: [UInt8] {
    guard isChanged, var edit = try? JSONEdit(saved) else { return saved }
    for (index, values) in changes.sorted(by: { $0.key < $1.key }) {
      for setting in Setting.allCases {
        guard let value = values[setting] else { continue }
        edit.set(setting.rawValue, to: value, inObjectAt: originals[index].position)
      }
    }
    return edit.bytes
  }

  /// Returns the changed settings of a policy, in the order of ``Setting``.
  package func changedSettings(ofPolicy index: Int) -> [Setting] {
    policies[index].settings.differences(from: originals[index].settings)
  }

  // MARK: Changes

  /// Changes settings of a policy.
  package mutating func change(policy index: Int, _ edit: SettingEdit) {
    var new = changes
    var values = new[index] ?? [:]
    var settings = policies[index].settings
    edit.apply(to: &settings)
    let original = originals[index].settings
    let differing = Set(settings.differences(from: original))
    for (setting, json) in edit.values { values[setting] = json }
    new[index] = values.filter { differing.contains($0.key) }
    if new[index]?.isEmpty == true { new[index] = nil }
    guard new.mapValues({ $0.mapValues(\.line) }) != changes.mapValues({ $0.mapValues(\.line) })
    else { return }
    done.append(changes)
    if done.count > Self.historyLength { done.removeFirst() }
    undone = []
    use(new)
  }

  package mutating func undo() {
    guard let previous = done.popLast() else { return }
    undone.append(changes)
    use(previous)
  }

  package mutating func redo() {
    guard let next = undone.popLast() else { return }
    done.append(changes)
    use(next)
  }

  private mutating func use(_ changes: Changes) {
    self.changes = changes
    // Each value was accepted by the same reader, and the positions of other values may have moved.
    if let policies = try? PolicyReader.read(bytes, file: file) { self.policies = policies }
  }

  // MARK: Saving

  /// The reason why a draft cannot be saved.
  package enum SaveError: Error, CustomStringConvertible {
    /// The file is not the one that was read.
    case changedOnDisk(String)
    case missing(String)
    case unwritable(String, OutputError)

    package var description: String {
      switch self {
      case .changedOnDisk(let file): "`\(file)` has changed on disk; reload it first"
      case .missing(let file): "`\(file)` no longer exists"
      case .unwritable(let file, let error): "`\(file)` cannot be written: \(error)"
      }
    }
  }

  /// Writes the draft to its file. Undoing remains possible.
  ///
  /// - Parameter read: Returns the content of the file; nil if it does not exist.
  /// - Throws: ``SaveError``. The file is then unchanged.
  package mutating func save(reading read: (String) -> [UInt8]?) throws(SaveError) {
    guard let present = read(file) else { throw .missing(file) }
    guard present == saved else { throw .changedOnDisk(file) }
    let bytes = bytes
    do {
      try OutputFile.write(bytes, to: file)
    } catch {
      throw .unwritable(file, error)
    }
    rebase(on: bytes)
  }

  /// Makes `bytes` the saved content, and restates the history relative to it.
  private mutating func rebase(on bytes: [UInt8]) {
    guard let documents = try? PolicyReader.read(bytes, file: file) else { return }
    let old = originals
    let restate = { (changes: Changes) in
      var restated: Changes = [:]
      for index in documents.indices {
        var settings = old[index].settings
        if let values = changes[index], let edit = try? SettingEdit(values) {
          edit.apply(to: &settings)
        }
        let differing = settings.differences(from: documents[index].settings)
        guard let edit = try? SettingEdit(of: differing, in: settings), !differing.isEmpty else {
          continue
        }
        restated[index] = Dictionary(
          uniqueKeysWithValues: edit.values.map { ($0.setting, $0.json) })
      }
      return restated
    }
    done = done.map(restate)
    undone = undone.map(restate)
    saved = bytes
    originals = documents
    policies = documents
    changes = [:]
  }

  /// Reads the file again and discards the changes.
  ///
  /// - Throws: ``PolicyErrors`` if the file is not one of policies. The draft is then unchanged.
  package mutating func reload(_ bytes: [UInt8]) throws(PolicyErrors) {
    self = try PolicyDraft(bytes, file: file)
  }
}

extension SettingEdit {
  fileprivate init(_ values: [Setting: JSONValue]) throws(Failure) {
    try self.init(
      Setting.allCases.compactMap { setting in values[setting].map { (setting, $0) } })
  }
}
