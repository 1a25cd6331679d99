internal import Encodings
internal import GraphDocuments
internal import Model
package import Output
package import Policy

/// A file of app protection policies while an administrator changes it.
///
/// The draft contains only the settings that differ from the file, so restoring a setting's value removes its change.
package struct PolicyDraft: Sendable {
  /// The path as the user gave it.
  package let file: String
  /// The content of the file when it was last read or saved.
  package private(set) var saved: [UInt8]
  /// The policies of the saved file.
  package private(set) var originals: [PolicyDocument]
  /// The policies with the changes, in the order of ``originals``, with positions in the saved file.
  package private(set) var policies: [PolicyDocument]
  /// The contents of the file that saving has replaced, the latest last. If the draft returns to the settings of one of
  /// these contents, saving writes that content, so values keep their notation.
  private var replaced: [(bytes: [UInt8], policies: [PolicyDocument])] = []
  private var changes: Changes = [:]
  private var undone: [Changes] = []
  private var done: [Changes] = []

  /// The changed settings of each policy, keyed by policy index.
  private typealias Changes = [Int: [Setting: JSONValue]]

  /// The maximum number of changes that can be undone.
  private static let historyLength = 1_000
  /// The maximum number of contents in ``replaced``.
  private static let replacedLength = 100

  /// Creates a draft without changes.
  ///
  /// - Throws: ``PolicyErrors`` if the file is not a policy file.
  package init(_ bytes: [UInt8], file: String) throws(PolicyErrors) {
    self.file = file
    saved = bytes
    originals = try PolicyReader.read(bytes, file: file)
    policies = originals
  }

  package var isChanged: Bool { !changes.isEmpty }
  package var canUndo: Bool { !done.isEmpty }
  package var canRedo: Bool { !undone.isEmpty }

  /// The content of the file with the changes: the latest content in ``replaced`` that has the same settings. If there
  /// is none, the saved content with only the changed values replaced.
  package var bytes: [UInt8] {
    guard isChanged else { return saved }
    let former = replaced.last { former in
      former.policies.count == policies.count
        && zip(former.policies, policies).allSatisfy { $0.settings == $1.settings }
    }
    if let former { return former.bytes }
    guard var edit = try? JSONEdit(saved) else { return saved }
    for (index, values) in changes.sorted(by: { $0.key < $1.key }) {
      for setting in Setting.allCases {
        guard let value = values[setting] else { continue }
        edit.set(setting.rawValue, to: value, inObjectAt: originals[index].position)
      }
    }
    return edit.bytes
  }

  /// Returns the content of a file for a device: only the policy with this index, with its changes. Nil if the draft is
  /// not a valid file.
  func bytes(ofPolicy index: Int) -> [UInt8]? {
    let bytes = bytes
    guard let objects = try? PolicyReader.policies(in: bytes, file: file).map(\.object),
      let object = objects[safe: index]
    else { return nil }
    return objects.count == 1 ? bytes : Array("\(object.line)\n".utf8)
  }

  /// The policies with the changes, with their positions in ``bytes``.
  package var located: [PolicyDocument] {
    // Each value was accepted by the same reader.
    isChanged ? (try? PolicyReader.read(bytes, file: file)) ?? policies : policies
  }

  func isChanged(policy index: Int) -> Bool { changes[index] != nil }

  // MARK: Changes

  package mutating func change(policy index: Int, _ edit: SettingEdit) {
    var new = changes
    var values = new[index] ?? [:]
    var settings = policies[index].settings
    edit.apply(to: &settings)
    let original = originals[index].settings
    let differing = Set(settings.differences(from: original))
    for (setting, json) in edit.values {
      // Only exempted apps have names, and reading the file again takes time.
      let known =
        values[setting]
        ?? (setting == .exemptedAppProtocols ? object(ofPolicy: index)?[setting.rawValue] : nil)
      values[setting] = json.keepingElements(of: known)
    }
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
    for index in Set(self.changes.keys).union(changes.keys) {
      policies[index].settings = originals[index].settings
      policies[index].settings.take(changes[index] ?? [:])
    }
    self.changes = changes
  }

  /// Returns the JSON text of a policy in the saved file, on one line.
  func json(ofPolicy index: Int) -> String { object(ofPolicy: index)?.line ?? "{}" }

  /// Returns the JSON object of a policy in the saved file; nil if the file has no policy with this index.
  private func object(ofPolicy index: Int) -> JSONValue? {
    let objects = try? PolicyReader.policies(in: saved, file: file).map(\.object)
    return objects.flatMap { $0.indices.contains(index) ? $0[index] : nil }
  }

  // MARK: Saving

  package enum SaveError: Error, CustomStringConvertible {
    /// The content of the file with this path has changed since it was last read or saved.
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

  /// Writes the draft to its file. The changes before the save can still be undone.
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
    if bytes != saved {
      replaced.append((saved, originals))
      if replaced.count > Self.replacedLength { replaced.removeFirst() }
    }
    rebase(on: bytes)
  }

  /// Makes `bytes` the saved content. Rewrites the changes that can be undone or redone, because they are relative to
  /// the saved content.
  private mutating func rebase(on bytes: [UInt8]) {
    guard let documents = try? PolicyReader.read(bytes, file: file) else { return }
    let old = originals
    let objects = (try? PolicyReader.policies(in: saved, file: file).map(\.object)) ?? []
    let restate = { (changes: Changes) in
      var restated: Changes = [:]
      for index in documents.indices {
        var settings = old[index].settings
        settings.take(changes[index] ?? [:])
        let differing = settings.differences(from: documents[index].settings)
        guard !differing.isEmpty, let edit = try? SettingEdit(of: differing, in: settings) else {
          continue
        }
        // The values as the history or the old file states them, so lists keep their form.
        let stated = Dictionary(
          edit.values.map { setting, json in
            let known = changes[index]?[setting] ?? objects[safe: index]?[setting.rawValue]
            return (setting, json.keepingElements(of: known))
          }, uniquingKeysWith: { first, _ in first })
        restated[index] = stated
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
  /// - Throws: ``PolicyErrors`` if the file is not a policy file. The draft is then unchanged.
  package mutating func reload(_ bytes: [UInt8]) throws(PolicyErrors) {
    self = try PolicyDraft(bytes, file: file)
  }

  // MARK: Merging

  /// A line of the admin centre that both the draft and another program have changed, to different values. The draft
  /// keeps its own value.
  struct Conflict: Sendable, Equatable {
    /// The index of the policy in the file on disk.
    var policy: Int
    /// The first setting of the line.
    var setting: Setting
    /// The value before both changes, in the admin centre's words; nil if there was none.
    var before: String?
  }

  /// The reason why changes cannot be applied to the file on disk.
  package enum MergeError: Error, CustomStringConvertible {
    /// The file cannot be read as policies.
    case invalid(PolicyErrors)
    /// The file no longer contains the policy with this name, which the draft changes or the caller needs.
    case missing(policy: String)

    package var description: String {
      switch self {
      case .invalid(let errors): errors.description
      case .missing(let name):
        "the file no longer contains `\(name)`, which the draft changes; the draft was not changed"
      }
    }
  }

  /// Replaces the saved content by `bytes`, and applies the draft's changes and their history to it.
  ///
  /// - Parameter needed: The policies that must still exist, in addition to the changed ones.
  /// - Returns: The conflicts, and the new index of each policy; nil for a policy that the file does not contain.
  /// - Throws: ``MergeError``. The draft is then unchanged.
  mutating func merge(
    _ bytes: [UInt8], keeping needed: Set<Int> = []
  ) throws(MergeError) -> (conflicts: [Conflict], places: [Int?]) {
    var merged: PolicyDraft
    do {
      merged = try PolicyDraft(bytes, file: file)
    } catch {
      throw .invalid(error)
    }
    let places = places(in: merged.originals)
    for index in Set(changes.keys).union(needed).sorted() where places[index] == nil {
      throw .missing(policy: originals[index].displayName)
    }
    let rebased = { (changes: Changes) in
      var new: Changes = [:]
      for (index, values) in changes {
        guard let place = places[index] else { continue }
        new[place] = merged.originals[place].settings.differing(values)
      }
      return new
    }
    var current = rebased(changes)
    var conflicts: [Conflict] = []
    for (index, place) in places.enumerated() {
      guard let place, let values = changes[index] else { continue }
      let (base, mine) = (originals[index].settings, policies[index].settings)
      let theirs = merged.originals[place].settings
      let changed = Set(theirs.differences(from: base))
      for line in SettingPage.allCases.flatMap(\.lines)
      where line.settings.contains(where: { values[$0] != nil })
        && line.settings.contains(where: changed.contains)
      {
        // Users see one value per line, so the draft's values replace all settings of the line.
        guard let edit = try? SettingEdit(of: line.settings, in: mine) else { continue }
        let stated = edit.values.map { ($0.setting, values[$0.setting] ?? $0.json) }
        let line = Dictionary(stated, uniquingKeysWith: { first, _ in first })
        let differing = theirs.differing(line) ?? [:]
        let setting = edit.values[0].setting
        current[place, default: [:]].merge(differing) { $1 }
        if !differing.isEmpty {
          conflicts.append(
            Conflict(policy: place, setting: setting, before: base.words(for: setting)))
        }
      }
      if current[place]?.isEmpty == true { current[place] = nil }
    }
    merged.done = done.map(rebased)
    merged.undone = undone.map(rebased)
    merged.use(current)
    self = merged
    return (conflicts, places)
  }

  /// Returns, for each policy of the saved file, the index of the same policy in `documents`; nil if there is none.
  ///
  /// Policies are matched by id, and then by name. A policy without an id that has no match is matched by index if the
  /// number of policies is unchanged. Each index is used at most once. An id or name that several policies share
  /// matches none of them.
  private func places(in documents: [PolicyDocument]) -> [Int?] {
    var places = [Int?](repeating: nil, count: originals.count)
    let keys: [KeyPath<PolicyDocument, String?>] = [\.id, \.optionalName]
    for key in keys {
      let own = Dictionary(grouping: originals.indices) { originals[$0][keyPath: key] }
      let others = Dictionary(grouping: documents.indices) { documents[$0][keyPath: key] }
      for (value, indices) in own where value != nil && indices.count == 1 {
        guard let found = others[value], found.count == 1 else { continue }
        if places[indices[0]] == nil, !places.contains(found[0]) { places[indices[0]] = found[0] }
      }
    }
    guard documents.count == originals.count else { return places }
    for index in originals.indices
    where places[index] == nil && originals[index].id == nil && !places.contains(index) {
      places[index] = index
    }
    return places
  }
}

extension PolicyDocument {
  fileprivate var optionalName: String? { displayName }
}

extension Settings {
  /// Applies values with ``PolicyReader``. Values from the file may have forms that ``SettingEdit`` rejects, such as
  /// white space around a scheme.
  fileprivate mutating func take(_ values: [Setting: JSONValue]) {
    guard !values.isEmpty else { return }
    let text = JSONWriter.objectLine { writer in
      writer.member("@odata.type", "#microsoft.graph.iosManagedAppProtection")
      for (setting, value) in values {
        writer.member(named: setting.rawValue) { value.write(to: &$0) }
      }
    }
    // Each value was accepted by the same reader.
    guard let read = try? PolicyReader.read(Array(text.utf8), file: "draft") else { return }
    for setting in values.keys { copy(setting, from: read[0].settings) }
  }
}

extension Settings {
  /// Returns the elements of `values` that would change these settings; nil if there are none.
  fileprivate func differing(_ values: [Setting: JSONValue]) -> [Setting: JSONValue]? {
    var changed = self
    changed.take(values)
    let differing = Set(changed.differences(from: self))
    let kept = values.filter { differing.contains($0.key) }
    return kept.isEmpty ? nil : kept
  }
}

extension JSONValue {
  /// Returns this list of exempted apps, in which elements of the list `other` replace those with the same schemes,
  /// because the elements of `other` also contain the apps' names. Elements of a ``SettingEdit`` contain only schemes.
  /// An element of `other` can contain several schemes, such as `skype;calshow`; only the schemes in this list are
  /// kept. If either value is not a list of exempted apps, returns this value unchanged.
  fileprivate func keepingElements(of other: JSONValue?) -> JSONValue {
    guard case .array(let elements) = kind, case .array(let known)? = other?.kind else {
      return self
    }
    var wanted = elements.compactMap { $0["value"]?.string }
    guard wanted.count == elements.count else { return self }
    var kept: [JSONValue] = []
    for element in known {
      guard let value = element["value"]?.string else { continue }
      let parts = value.split(separator: ";").map(String.init)
      let rest = parts.filter { wanted.contains(Self.scheme($0)) }
      wanted.removeAll { rest.map(Self.scheme).contains($0) }
      guard !rest.isEmpty else { continue }
      kept.append(rest == parts ? element : element.stating(rest.joined(separator: ";")))
    }
    return JSONValue(
      .array(kept + elements.filter { wanted.contains($0["value"]?.string ?? "") }), at: position)
  }

  /// Returns the scheme as settings contain it: without a colon, in lower case.
  private static func scheme(_ text: String) -> String {
    let trimmed = text.trimmed
    return (trimmed.last == ":" ? String(trimmed.dropLast()) : trimmed).lowercased()
  }

  /// Returns the object with `text` as the value of its member `value`.
  private func stating(_ text: String) -> JSONValue {
    var members = members ?? []
    for index in members.indices where members[index].name == "value" {
      members[index].value.kind = .string(text)
    }
    return JSONValue(.object(members), at: position)
  }
}

extension Array {
  fileprivate subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
