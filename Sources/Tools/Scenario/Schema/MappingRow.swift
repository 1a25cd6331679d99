/// What is said of a mapping: a definition of the schema.
struct MappingRow: Sendable {
  /// Its name among the schema's definitions.
  let name: String
  /// nil: what the step says whose only mapping it is.
  let summary: String?
  let keys: [Key]
  /// What the keys must be beside one another: members of the schema. Empty: nothing.
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
