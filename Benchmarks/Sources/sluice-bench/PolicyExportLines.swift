/// The members of an exported policy, as indented JSON. Names and values must not need escaping.
struct PolicyExportLines {
  private var lines: [String] = []

  /// The policy as an element of an array.
  var object: String { "    {\n\(lines.joined(separator: ",\n"))\n    }" }

  mutating func text(_ name: String, _ value: String) { member(name, "\"\(value)\"") }

  mutating func number(_ name: String, _ value: Int) { member(name, "\(value)") }

  mutating func bool(_ name: String, _ value: Bool) { member(name, "\(value)") }

  mutating func texts(_ name: String, _ values: [String]) {
    array(name, values.map { "        \"\($0)\"" })
  }

  /// Adds an array of objects.
  ///
  /// - Parameter values: The objects as indented JSON texts.
  mutating func objects(_ name: String, _ values: [String]) { array(name, values) }

  private mutating func array(_ name: String, _ values: [String]) {
    member(name, values.isEmpty ? "[]" : "[\n\(values.joined(separator: ",\n"))\n      ]")
  }

  private mutating func member(_ name: String, _ json: String) {
    lines.append("      \"\(name)\": \(json)")
  }
}
