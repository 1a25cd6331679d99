/// The shape of the value of a step's word.
enum StepShape: Sendable {
  case mapping(MappingRow)
  case value(ValueShape)
  /// Text, or a mapping of one key.
  case either([ValueShape], MappingRow)
}
