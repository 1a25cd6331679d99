/// A change of a property list that puts a fault right.
package enum Repair: Sendable, Hashable {
  /// Replaces a value by a string.
  case replace(ListPath, with: String)
  /// Appends strings to an array, which is created where its dictionary lacks it.
  case append(ListPath, [String])
  /// Puts strings before the first element of an array.
  case prepend(ListPath, [String])

  /// The path of the value that changes.
  var path: ListPath {
    switch self {
    case .replace(let path, _), .append(let path, _), .prepend(let path, _): path
    }
  }

  /// The repairs, each once; strings for the same array are appended in one repair.
  static func merged(_ repairs: [Repair]) -> [Repair] {
    var merged: [Repair] = []
    var appended: [ListPath: [String]] = [:]
    var seen: Set<Repair> = []
    for repair in repairs {
      switch repair {
      case .replace, .prepend:
        if seen.insert(repair).inserted { merged.append(repair) }
      case .append(let path, let strings):
        Effort.spend(strings.count)
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
  /// Whether a repair keeps the present value: nothing can be appended to a value that is no array.
  func takes(_ repair: Repair) -> Bool {
    switch repair {
    case .replace: return true
    case .append(let path, _), .prepend(let path, _):
      return value(at: path).map { $0.array != nil } ?? true
    }
  }
}

extension PropertyListValue {
  /// The value with repairs done, wherever it stands in a file.
  func repaired(_ repairs: [Repair]) -> PropertyListValue { repaired(repairs[...], depth: 0) }

  /// - Parameter depth: The number of steps of the repairs' paths that lead to this value.
  private func repaired(_ repairs: ArraySlice<Repair>, depth: Int) -> PropertyListValue {
    Effort.spend(repairs.count)
    let changed = repairs.filter { $0.path.count == depth }.reduce(self) { $1.applied(to: $0) }
    let inner = repairs.filter { $0.path.count > depth }
    if inner.isEmpty { return changed }
    return changed.repairing(
      Dictionary(grouping: inner) { $0.path[depth] }, inner, depth: depth + 1)
  }

  /// - Parameter groups: The repairs of each part; `repairs` holds the same repairs in their order.
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
  /// - Parameter value: The value at the repair's path; nil where the path leads nowhere.
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
