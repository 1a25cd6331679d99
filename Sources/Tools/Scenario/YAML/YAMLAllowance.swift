internal import JSON

/// The number of values that a text may still hold, and of the bytes of text in them and in their keys.
///
/// Values that an alias repeats count each time.
struct YAMLAllowance {
  /// The name of the whole text in messages.
  private let whole: String
  private let values: Int
  private let bytes: Int
  private var valuesLeft: Int
  private var bytesLeft: Int

  /// Bytes of the longest text: with all that goes along, it fits into a message between a guest and the device.
  static let longestText = 15 << 20

  /// The allowance of a scenario file.
  static let file = YAMLAllowance("the file", values: Scenario.mostValues, bytes: 1 << 30)

  /// The allowance of a step on a running device: while the step is read, no other client is answered.
  static let step = YAMLAllowance("the step", values: 4_096, bytes: 64 << 10)

  private init(_ whole: String, values: Int, bytes: Int) {
    self.whole = whole
    self.values = values
    self.bytes = bytes
    valuesLeft = values
    bytesLeft = bytes
  }

  /// Counts a value.
  ///
  /// - Throws: ``Mistake`` at `position`, where no value is left.
  mutating func takeValue(at position: Position) throws(Mistake) {
    valuesLeft -= 1
    guard valuesLeft >= 0 else {
      throw Mistake(.tooLarge, at: position, "\(whole) holds more than \(values) values")
    }
  }

  /// Counts the bytes of a text.
  ///
  /// - Throws: ``Mistake`` at `position`, where `text` has more bytes than are left, or than any text may have.
  mutating func take(_ text: String, at position: Position) throws(Mistake) {
    guard text.utf8.count <= Self.longestText else {
      throw Mistake(
        .tooLarge, at: position,
        "a text of \(text.utf8.count) bytes; a text may have \(Self.longestText)")
    }
    bytesLeft -= text.utf8.count
    guard bytesLeft >= 0 else {
      throw Mistake(.tooLarge, at: position, "\(whole) holds more than \(bytes) bytes of text")
    }
  }
}
