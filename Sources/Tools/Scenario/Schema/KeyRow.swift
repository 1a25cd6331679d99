internal import Model

/// The declaration of one key of a mapping.
struct KeyRow: Sendable {
  enum Presence: Sendable {
    case required, optional
  }

  /// The meaning of the key; nil where the definition of its value states enough.
  let summary: String?
  let value: ValueShape
  let presence: Presence

  static func required(_ value: ValueShape, _ summary: String?) -> KeyRow {
    KeyRow(summary: summary, value: value, presence: .required)
  }

  static func optional(_ value: ValueShape, _ summary: String?) -> KeyRow {
    KeyRow(summary: summary, value: value, presence: .optional)
  }
}

/// A key of a mapping whose keys the format chooses.
protocol MappingKey: RawRepresentable<String>, CaseIterable, Hashable {
  var row: KeyRow { get }
}

extension KeyRow {
  static let guest = required(
    .name, "Name of an app or, where several guests run it, of one guest, such as `mail-2`")
  /// The guests of an app, each of which takes the step.
  static let guests = required(
    .name,
    "Name of an app, for all guests that run it at once, or of one of several guests, such as `mail-2`"
  )
  static let destination = required(
    .name,
    "Name of an app or, where several guests run it, of one guest, such as `mail-2`; or a bundle id, "
      + "which need not be on the device")
  static let account = required(.name, "Name of an account")
  static let locationAccount = optional(
    .name, "Account of the location, by name, or `unknown` or `unset`. Default: nil")
  static let itemText = optional(.text, "The item, as text")
  static let itemType = optional(
    .uniformType,
    "Uniform type of the item. Default: public.utf8-plain-text")
  static let itemFile = optional(.reference("file"), nil)
  static let heldItem = optional(
    .word(of: StepItem.HandingOn.self),
    "In place of `text` and `file`: what the app got last, as it came, or as if its user had typed it in"
  )
  static let via = optional(
    .word(of: SharingPath.self),
    "The SDK's sharing, or the system's, which goes round it. Default: sdk")
}
