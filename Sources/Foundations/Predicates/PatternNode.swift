/// A part of a regular expression.
indirect enum PatternNode {
  case set(ScalarSet)
  case start
  case end
  case sequence([PatternNode])
  case alternatives([PatternNode])
  /// - Parameter most: nil for any number.
  case repeated(PatternNode, least: Int, most: Int?)
}
