public import Model

/// The item that a step moves: one that the step states, or what the guest got last.
public enum StepItem: Sendable, Equatable {
  case stated(Item)
  case held(HandingOn)

  /// How a guest hands on what it got last: delivered, as an answer, or from a file.
  public enum HandingOn: String, Sendable, CaseIterable {
    /// As it came, under its tag.
    case received
    /// As if the user had typed it in: without tag.
    case retyped
  }

  /// The item in a few words.
  var label: String {
    switch self {
    case .stated(let item): item.label
    case .held(.received): "what it got last"
    case .held(.retyped): "what it got last, typed in anew,"
    }
  }
}

/// The keys of a step that moves an item.
protocol ItemKey: MappingKey {
  static var text: Self { get }
  static var type: Self { get }
  static var file: Self { get }
  static var item: Self { get }
}

extension ItemKey {
  /// The condition of the schema that a step has exactly one item.
  static var needsItem: String {
    #"{"required": ["text"]}, {"required": ["file"]}, {"required": ["item"], "not": {"required": ["type"]}}"#
  }
}

extension StepItem {
  /// Reads the item of a step; nil where it has none.
  static func optional(_ fields: Fields<some ItemKey>) throws(Mistake) -> StepItem? {
    try fields.rejectConflict(.file, with: .text)
    try fields.rejectConflict(.item, with: .text)
    try fields.rejectConflict(.item, with: .file)
    try fields.rejectConflict(.type, with: .item)
    if let item = fields[.item] { return .held(try item.word()) }
    return try Item.optional(text: fields[.text], type: fields[.type], file: fields[.file])
      .map(StepItem.stated)
  }

  /// Reads the item of the step `value`, which must have one.
  static func required(
    _ fields: Fields<some ItemKey>, in value: YAMLValue
  ) throws(Mistake) -> StepItem {
    guard let item = try optional(fields) else {
      throw value.mistake(.missingKey, "`\(value.name)` needs `text`, `file` or `item`")
    }
    return item
  }
}
