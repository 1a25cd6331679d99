/// The device's name for a run of an extension: `saveNote#1` is the first of `saveNote` since the device came up.
package struct InstanceName: CustomStringConvertible, Sendable {
  package var `extension`: String
  /// The number of the run, from 1.
  package var number: Int

  /// The name of the run `number` of `extension`.
  package init(of extension: String, _ number: Int) {
    self.extension = `extension`
    self.number = number
  }

  /// Reads the name of a guest; nil where `guest` is the name of an app.
  package init?(_ guest: String) {
    guard let mark = guest.lastIndex(of: "#"), let number = Int(guest[guest.index(after: mark)...])
    else { return nil }
    self.init(of: String(guest[..<mark]), number)
  }

  package var description: String { "\(`extension`)#\(number)" }
}
