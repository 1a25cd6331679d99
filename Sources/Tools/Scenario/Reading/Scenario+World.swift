extension Scenario {
  /// Whether two texts of scenarios say the same of everything but their cases.
  ///
  /// - Parameter path: the path by which the second text names a file, from that of the first.
  /// - Returns: false also where one is no YAML.
  package static func isSameWorld(
    _ text: String, as other: String, naming path: (String) -> String = { $0 }
  ) -> Bool {
    guard let first = try? YAMLReader.read(text), let second = try? YAMLReader.read(other) else {
      return false
    }
    return first.world.isSame(as: second.world, at: [], path)
  }
}

extension YAMLValue {
  fileprivate var world: YAMLValue {
    guard case .mapping(let members) = kind else { return self }
    var world = self
    world.kind = .mapping(members.filter { !["cases", "steps"].contains($0.key) })
    return world
  }

  fileprivate func isSame(
    as other: YAMLValue, at place: [String], _ path: (String) -> String
  ) -> Bool {
    switch (kind, other.kind) {
    case (.scalar(let text, let isPlain), .scalar(let found, let isFoundPlain)):
      Self.namesFile(place) ? path(text) == found : text == found && isPlain == isFoundPlain
    case (.sequence(let elements), .sequence(let others)):
      elements.count == others.count
        && zip(elements, others).allSatisfy { $0.isSame(as: $1, at: place + [""], path) }
    case (.mapping(let members), .mapping(let others)):
      members.map(\.key) == others.map(\.key)
        && zip(members, others).allSatisfy {
          $0.value.isSame(as: $1.value, at: place + [$0.key], path)
        }
    default: false
    }
  }

  /// Whether a scenario names a file or folder there.
  private static func namesFile(_ place: [String]) -> Bool {
    guard let section = place.first, let key = place.last else { return false }
    let keys: Set<String> =
      switch (section, place.count) {
      case ("device", 2): ["profile", "declarations"]
      case ("apps", 3): ["executable", "path"]
      case ("policies", 3), ("configurations", 3), ("conditionalAccess", 3): ["file"]
      case ("servers", 3): ["folder"]
      default: []
      }
    return keys.contains(key)
  }
}
