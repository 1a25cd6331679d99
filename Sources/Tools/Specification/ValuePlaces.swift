internal import Bundle
internal import JSON

/// The positions of a JSON value and of all values in it.
struct ValuePlaces: Sendable {
  /// The position of the name before the value; that of the value itself where there is none.
  let key: Position
  let value: Position
  private let members: [String: ValuePlaces]
  private let elements: [ValuePlaces]

  init(of value: JSONValue, at key: Position) {
    self.key = key
    self.value = value.position
    elements = (value.array ?? []).map { ValuePlaces(of: $0, at: $0.position) }
    members = Dictionary(
      (value.members ?? []).map { ($0.name, ValuePlaces(of: $0.value, at: $0.position)) },
      uniquingKeysWith: { _, last in last })
  }

  /// The positions of the value at `path`; nil where it leads nowhere.
  func place(of path: ListPath) -> ValuePlaces? {
    var places = self
    for step in path {
      switch step {
      case .key(let name):
        guard let next = places.members[name] else { return nil }
        places = next
      case .index(let index):
        guard places.elements.indices.contains(index) else { return nil }
        places = places.elements[index]
      }
    }
    return places
  }
}
