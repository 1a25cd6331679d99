import Encodings

extension JSONValue {
  /// Sets `value` at the end of a path of members. The value replaces the existing value, or is
  /// appended to its object.
  mutating func set(_ value: JSONValue, at path: [String]) {
    guard let name = path.first else {
      self = value
      return
    }
    guard case .object(var members) = kind else { return }
    let index = members.firstIndex { $0.name == name }
    var member = index.map { members[$0].value } ?? JSONValue(.object([]), at: position)
    member.set(value, at: Array(path.dropFirst()))
    if let index {
      members[index].value = member
    } else {
      members.append(Member(name: name, position: position, value: member))
    }
    kind = .object(members)
  }

  /// JSON text with one line for each member and element.
  var indented: String { indented(by: 0) }

  private func indented(by depth: Int) -> String {
    let inner = String(repeating: "  ", count: depth + 1)
    func lines(_ open: String, _ items: [String], _ close: String) -> String {
      guard !items.isEmpty else { return open + close }
      let outer = String(repeating: "  ", count: depth)
      return "\(open)\n" + items.map { inner + $0 }.joined(separator: ",\n") + "\n\(outer)\(close)"
    }
    switch kind {
    case .object(let members):
      return lines(
        "{",
        members.map { member in
          var name = JSONWriter()
          name.string(member.name)
          return "\(name.text): \(member.value.indented(by: depth + 1))"
        }, "}")
    case .array(let elements):
      return lines("[", elements.map { $0.indented(by: depth + 1) }, "]")
    case .null, .bool, .number, .string:
      var writer = JSONWriter()
      write(to: &writer)
      return writer.text
    }
  }
}
