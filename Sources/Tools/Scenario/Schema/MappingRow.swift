/// The declaration of a mapping: a definition of the schema.
struct MappingRow: Sendable {
  /// The name of the mapping among the schema's definitions.
  let name: String
  /// The meaning of the mapping; nil: that of the only step that takes the mapping.
  let summary: String?
  let keys: [Key]
  /// A condition on the keys together: members of the schema. Empty: none.
  let condition: String

  struct Key: Sendable {
    let name: String
    let row: KeyRow
  }

  init<Keys: MappingKey>(
    _ name: String, _ keys: Keys.Type, _ summary: String? = nil, where condition: String = ""
  ) {
    self.init(name, Array(keys.allCases), summary, where: condition)
  }

  init<Keys: MappingKey>(
    _ name: String, _ keys: [Keys], _ summary: String? = nil, where condition: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.keys = keys.map { Key(name: $0.rawValue, row: $0.row) }
    self.condition = condition
  }
}
