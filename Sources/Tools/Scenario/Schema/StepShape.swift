/// What follows the word of a step.
enum StepShape: Sendable {
  case mapping(MappingRow)
  case value(ValueShape)
  /// Text, or a mapping of one key.
  case either([ValueShape], MappingRow)
}
