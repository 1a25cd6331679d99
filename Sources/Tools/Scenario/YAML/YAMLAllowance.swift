internal import JSON

/// How much more a text may hold: values, and bytes of text in them and in their keys.
///
/// What an alias repeats is taken each time.
struct YAMLAllowance {
  /// What the whole is, as messages name it.
  private let whole: String
  private let values: Int
  private let bytes: Int
  private var valuesLeft: Int
  private var bytesLeft: Int

  /// What a scenario file may hold.
  static let file = YAMLAllowance("the file", values: 1_000_000, bytes: 1 << 30)

  /// What a step may hold that a running device carries out: while it is read, nobody else is answered.
  static let step = YAMLAllowance("the step", values: 4_096, bytes: 64 << 10)

  private init(_ whole: String, values: Int, bytes: Int) {
    self.whole = whole
    self.values = values
    self.bytes = bytes
    valuesLeft = values
    bytesLeft = bytes
  }

  /// - Throws: ``Mistake`` at `position`, where there is no value left.
  mutating func takeValue(at position: Position) throws(Mistake) {
    valuesLeft -= 1
    guard valuesLeft >= 0 else {
      throw Mistake(.tooLarge, at: position, "\(whole) holds more than \(values) values")
    }
  }

  /// - Throws: ``Mistake`` at `position`, where `text` has more bytes than are left.
  mutating func take(_ text: String, at position: Position) throws(Mistake) {
    bytesLeft -= text.utf8.count
    guard bytesLeft >= 0 else {
      throw Mistake(.tooLarge, at: position, "\(whole) holds more than \(bytes) bytes of text")
    }
  }
}
