/// A change of a property list that puts something right.
package enum Repair: Sendable, Hashable {
  /// The value becomes a string.
  case replace(ListPath, with: String)
  /// Strings at the end of an array, which is made where its dictionary lacks it.
  case append(ListPath, [String])

  /// The same repairs; what goes to one array goes there at once.
  static func merged(_ repairs: [Repair]) -> [Repair] {
    repairs.reduce(into: [Repair]()) { merged, repair in
      guard case .append(let path, let strings) = repair,
        let index = merged.firstIndex(where: { $0.appendsTo(path) }),
        case .append(_, let before) = merged[index]
      else {
        if !merged.contains(repair) { merged.append(repair) }
        return
      }
      merged[index] = .append(path, before + strings.filter { !before.contains($0) })
    }
  }

  private func appendsTo(_ path: ListPath) -> Bool {
    if case .append(path, _) = self { true } else { false }
  }
}

extension PropertyList {
  /// Whether a repair keeps what is there: to a value that is no array, nothing can be appended.
  func takes(_ repair: Repair) -> Bool {
    guard case .append(let path, _) = repair, let value = value(at: path) else { return true }
    return value.array != nil
  }
}

extension PropertyListValue {
  /// The value with a repair done, wherever it stands in a file.
  func repaired(_ repair: Repair) -> PropertyListValue {
    switch repair {
    case .replace(let path, let string):
      changing(at: path) { _ in PropertyListValue(.string(string)) }
    case .append(let path, let strings):
      changing(at: path) { value in
        let elements = value?.array ?? []
        return PropertyListValue(
          .array(elements + strings.map { PropertyListValue(.string($0)) }))
      }
    }
  }

  /// - Parameter change: gets nil where the path leads nowhere.
  private func changing(
    at path: ListPath, _ change: (PropertyListValue?) -> PropertyListValue
  ) -> PropertyListValue {
    guard let step = path.first else { return change(self) }
    let rest = ListPath(path.dropFirst())
    var copy = self
    switch (step, kind) {
    case (.key(let key), .dictionary(var values)):
      if let index = values.entries.firstIndex(where: { $0.key == key }) {
        values.entries[index].value = values.entries[index].value.changing(at: rest, change)
      } else if rest.isEmpty {
        values.entries.append(.init(key: key, keyRange: 0..<0, value: change(nil)))
      }
      copy.kind = .dictionary(values)
    case (.index(let index), .array(var elements)) where elements.indices.contains(index):
      elements[index] = elements[index].changing(at: rest, change)
      copy.kind = .array(elements)
    default: break
    }
    return copy
  }
}
