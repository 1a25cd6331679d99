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
    case (.scalar, _), (.sequence, _), (.mapping, _): false
    }
  }

  /// Whether a scenario names a file or folder there.
  private static func namesFile(_ place: [String]) -> Bool {
    filePlaces.contains { known in
      known.count == place.count && zip(known, place).allSatisfy { $0 == nil || $0 == $1 }
    }
  }

  /// The keys from the top that lead to paths; nil stands for any name.
  private static let filePlaces: [[String?]] = [
    ["device", "mdm", "profile"], ["device", "declarations"],
    ["devices", nil, "mdm", "profile"], ["devices", nil, "declarations"],
    ["apps", nil, "executable"],
    ["apps", nil, "path"], ["policies", nil, "file"], ["configurations", nil, "file"],
    ["conditionalAccess", nil, "file"], ["servers", nil, "folder"],
  ]
}
