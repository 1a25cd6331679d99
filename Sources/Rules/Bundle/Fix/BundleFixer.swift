internal import Encodings
internal import Foundation
internal import Output

/// The content of a property list before and after `sluice bundle fix`.
package struct FixedList: Sendable {
  package var file: String
  package var after: [UInt8]
  /// The content before and after the fix, in UTF-8; nil for a binary property list.
  package var text: (before: [UInt8], after: [UInt8])?
  /// The findings that the changes fix.
  package var findings: [BundleFinding]
}

/// Fixes the findings about a bundle by changes of its property lists.
package enum BundleFixer {
  /// Returns the fixed content of each property list that needs a change. Writes nothing.
  ///
  /// - Throws: ``BundleError`` if a fixed list does not have the intended values when it is read again.
  package static func fixes(of input: BundleInput) throws(BundleError) -> [FixedList] {
    let findings = BundleReport.findings(about: input).filter { !$0.repairs.isEmpty }
    var fixed: [FixedList] = []
    for list in lists(of: input) {
      let concerned = findings.filter { $0.file == list.file }
      if concerned.isEmpty { continue }
      fixed.append(try fix(list, concerned))
    }
    return fixed
  }

  static func replacements(
    for finding: BundleFinding, by editor: ListEditor
  ) -> [TextReplacement] {
    ListEdit.sorted(editor.edits(for: finding.repairs)).map { edit in
      TextReplacement(
        start: editor.text.position(of: edit.range.lowerBound),
        end: editor.text.position(of: edit.range.upperBound), text: edit.text)
    }
  }

  static func lists(of input: BundleInput) -> [PropertyList] {
    switch input {
    case .entitlements(let file): [file.list]
    case .bundle(let bundle, _):
      ([bundle] + bundle.plugIns).flatMap { part in
        [part.source.list, part.source.entitlements].compactMap(\.self)
      }
    }
  }

  private static func fix(
    _ list: PropertyList, _ findings: [BundleFinding]
  ) throws(BundleError) -> FixedList {
    let repairs = Repair.merged(findings.flatMap(\.repairs))
    let meant = list.top.repaired(repairs)
    var fixed = FixedList(file: list.file, after: [], findings: findings)
    if let editor = ListEditor(list) {
      let edited = ListEdit.apply(editor.edits(for: repairs), to: editor.text.bytes)
      fixed.text = (editor.text.bytes, edited)
      fixed.after = editor.text.stored(edited)
    } else {
      fixed.after = try BinaryListWriter.bytes(of: meant, file: list.file)
    }
    guard try PropertyList(fixed.after, file: list.file).top == meant else {
      throw BundleError(
        file: list.file, message: "cannot be edited without damage; the file is unchanged")
    }
    return fixed
  }
}

// MARK: - Repairs

/// A change of a property list that fixes a finding.
package enum Repair: Sendable, Hashable {
  case replace(ListPath, with: String)
  /// Appends strings to an array. If there is none at the path, it is created.
  case append(ListPath, [String])
  case prepend(ListPath, [String])

  var path: ListPath {
    switch self {
    case .replace(let path, _), .append(let path, _), .prepend(let path, _): path
    }
  }

  /// Returns the repairs without duplicates. Appends to the same array become one repair.
  static func merged(_ repairs: [Repair]) -> [Repair] {
    var merged: [Repair] = []
    var appended: [ListPath: [String]] = [:]
    var seen: Set<Repair> = []
    for repair in repairs {
      switch repair {
      case .replace, .prepend:
        if seen.insert(repair).inserted { merged.append(repair) }
      case .append(let path, let strings):
        StepCounter.add(strings.count)
        if appended[path] == nil { merged.append(.append(path, [])) }
        appended[path, default: []] += strings.filter { string in
          seen.insert(.append(path, [string])).inserted
        }
      }
    }
    return merged.map { repair in
      guard case .append(let path, _) = repair else { return repair }
      return .append(path, appended[path] ?? [])
    }
  }
}

extension PropertyList {
  /// Returns whether the repair can be applied. Strings cannot be added if the value at the path is not an array,
  /// because that value would be lost.
  func takes(_ repair: Repair) -> Bool {
    switch repair {
    case .replace: return true
    case .append(let path, _), .prepend(let path, _):
      return value(at: path).map { $0.array != nil } ?? true
    }
  }
}

extension PropertyListValue {
  /// Returns the value with the repairs applied. Source positions stay as before the repairs.
  func repaired(_ repairs: [Repair]) -> PropertyListValue { repaired(repairs[...], depth: 0) }

  /// Returns the value with the repairs applied to it and to the values inside it.
  ///
  /// - Parameter depth: The number of elements in this value's path. The paths of all `repairs` begin with this path.
  private func repaired(_ repairs: ArraySlice<Repair>, depth: Int) -> PropertyListValue {
    StepCounter.add(repairs.count)
    let changed = repairs.filter { $0.path.count == depth }.reduce(self) { $1.applied(to: $0) }
    let inner = repairs.filter { $0.path.count > depth }
    if inner.isEmpty { return changed }
    return changed.repairing(
      Dictionary(grouping: inner) { $0.path[depth] }, inner, depth: depth + 1)
  }

  /// Returns the value with repairs applied to its children.
  ///
  /// - Parameter groups: The elements of `repairs`, grouped by the child that they change.
  private func repairing(
    _ groups: [ListStep: [Repair]], _ repairs: [Repair], depth: Int
  ) -> PropertyListValue {
    var copy = self
    switch kind {
    case .dictionary(let values):
      var entries = values.entries.map { entry in
        var entry = entry
        if let group = groups[.key(entry.key)] {
          entry.value = entry.value.repaired(group[...], depth: depth)
        }
        return entry
      }
      for repair in repairs where repair.path.count == depth {
        guard case .key(let key)? = repair.path.last, values[key] == nil else { continue }
        entries.append(.init(key: key, keyRange: 0..<0, value: repair.applied(to: nil)))
      }
      copy.kind = .dictionary(PropertyListDictionary(entries))
    case .array(let elements):
      copy.kind = .array(
        elements.indices.map { index in
          groups[.index(index)].map { elements[index].repaired($0[...], depth: depth) }
            ?? elements[index]
        })
    case .boolean, .string, .integer, .real, .data, .date: break
    }
    return copy
  }
}

extension Repair {
  /// Returns the result of the repair.
  ///
  /// - Parameter value: The value at the repair's path; nil if there is none.
  fileprivate func applied(to value: PropertyListValue?) -> PropertyListValue {
    switch self {
    case .replace(_, let string): PropertyListValue(.string(string))
    case .append(_, let strings):
      PropertyListValue(
        .array((value?.array ?? []) + strings.map { PropertyListValue(.string($0)) }))
    case .prepend(_, let strings):
      PropertyListValue(
        .array(strings.map { PropertyListValue(.string($0)) } + (value?.array ?? [])))
    }
  }
}

// MARK: - Binary lists

private enum BinaryListWriter {
  /// Returns the value as a binary property list.
  ///
  /// - Throws: ``BundleError`` if Foundation cannot write the value.
  static func bytes(of value: PropertyListValue, file: String) throws(BundleError) -> [UInt8] {
    do {
      let data = try PropertyListSerialization.data(
        fromPropertyList: object(of: value), format: .binary, options: 0)
      return Array(data)
    } catch {
      throw BundleError(file: file, message: "cannot be written as a binary property list")
    }
  }

  private static func object(of value: PropertyListValue) -> Any {
    switch value.kind {
    case .boolean(let flag): NSNumber(value: flag)
    case .string(let text): text
    case .integer(let number): NSNumber(value: number)
    case .real(let number): NSNumber(value: number)
    case .data(let bytes): Data(bytes)
    case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
    case .array(let elements): elements.map { object(of: $0) }
    case .dictionary(let values):
      Dictionary(
        values.entries.map { ($0.key, object(of: $0.value)) },
        uniquingKeysWith: { first, _ in first })
    }
  }
}
