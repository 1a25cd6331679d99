extension Action.File {
  enum Key: String, CaseIterable {
    case app, path, group, text, owner, to
  }

  init(_ step: Step.Key, _ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "`\(step.rawValue)`")
    let known = Self.keys(of: step)
    for key in Key.allCases where fields[key] != nil && !known.contains(key) {
      throw Mistake(
        .conflictingKeys, at: fields.position(of: key),
        "`\(step.rawValue)` has no `\(key.rawValue)`")
    }
    let path = try fields.required(.path)
    guard try !path.text().isEmpty else { throw path.mistake(.invalidValue, "`path` is empty") }
    self.init(
      operation: try Self.operation(step, fields, names),
      guest: try names.guest(fields.required(.app)), path: try path.text(),
      group: try fields[.group]?.text())
  }

  private static func operation(
    _ step: Step.Key, _ fields: Fields<Key>, _ names: Names
  ) throws(Mistake) -> Operation {
    switch step {
    case .writeFile: .write(try fields.required(.text).text())
    case .appendFile: .append(try fields.required(.text).text())
    case .readFile: .read
    case .fileInfo: .info
    case .protectFile: .protect(owner: try names.identity(fields.required(.owner)))
    case .moveFile: .move(to: try fields.required(.to).text())
    case .removeFile: .remove
    case .protectData:
      .protectData(
        try fields.required(.text).text(), owner: try names.identity(fields.required(.owner)))
    default: .unprotectData
    }
  }

  /// What a step takes.
  static func keys(of step: Step.Key) -> Set<Key> {
    let place: Set<Key> = [.app, .path, .group]
    return switch step {
    case .writeFile, .appendFile: place.union([.text])
    case .protectFile: place.union([.owner])
    case .moveFile: place.union([.to])
    case .protectData: place.union([.text, .owner])
    default: place
    }
  }
}
