internal import Encodings

/// Writes values as an XML property list.
struct PropertyListText {
  private var lines: [String] = []

  /// The whole list, with a line break at its end. Null values are left out.
  ///
  /// - Precondition: the value was read from JSON, where bytes are Base64.
  /// - Parameter schema: the schema of the value, which tells dates and bytes from strings.
  static func text(of value: ConfigurationValue, by schema: Schema) -> String {
    var writer = PropertyListText()
    writer.write(value, by: schema, indent: "")
    let head = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "#
        + #""http://www.apple.com/DTDs/PropertyList-1.0.dtd">"#,
      #"<plist version="1.0">"#,
    ]
    return (head + writer.lines + ["</plist>"]).joined(separator: "\n") + "\n"
  }

  private mutating func write(_ value: ConfigurationValue, by schema: Schema, indent: String) {
    switch value.kind {
    case .boolean(let flag): lines.append("\(indent)<\(flag)/>")
    case .integer(let number): lines.append("\(indent)<integer>\(number)</integer>")
    case .real(let number):
      let text = ConfigurationValue.text(of: number)
      lines.append("\(indent)<real>\(text)</real>")
    case .string(let text): write(text, by: schema, indent: indent)
    case .date(let seconds):
      lines.append("\(indent)<date>\(DateText.text(of: seconds))</date>")
    case .null, .data: preconditionFailure("JSON has no bytes, and null is left out")
    case .array(let elements): write(elements, by: schema, indent: indent)
    case .dictionary(let entries): write(entries, by: schema, indent: indent)
    }
  }

  private mutating func write(_ text: String, by schema: Schema, indent: String) {
    if schema.isSomewhere(\.isDate), let seconds = DateText.seconds(of: text) {
      lines.append("\(indent)<date>\(DateText.text(of: seconds))</date>")
    } else {
      let name = schema.isSomewhere(\.isData) ? "data" : "string"
      lines.append("\(indent)<\(name)>\(text.escaped(in: .xmlText))</\(name)>")
    }
  }

  private mutating func write(
    _ elements: [ConfigurationValue], by schema: Schema, indent: String
  ) {
    guard !elements.isEmpty else {
      lines.append("\(indent)<array/>")
      return
    }
    lines.append("\(indent)<array>")
    for element in elements where !element.isNull {
      write(element, by: schema.ofElements, indent: indent + "  ")
    }
    lines.append("\(indent)</array>")
  }

  private mutating func write(
    _ entries: [ConfigurationValue.Entry], by schema: Schema, indent: String
  ) {
    guard !entries.isEmpty else {
      lines.append("\(indent)<dict/>")
      return
    }
    lines.append("\(indent)<dict>")
    for entry in entries where !entry.value.isNull {
      lines.append("\(indent)  <key>\(entry.key.escaped(in: .xmlText))</key>")
      write(entry.value, by: schema.ofValue(entry.key), indent: indent + "  ")
    }
    lines.append("\(indent)</dict>")
  }
}

extension Schema {
  /// Whether a property is true of this schema or one that holds beside it.
  fileprivate func isSomewhere(_ property: KeyPath<Schema, Bool>) -> Bool {
    self[keyPath: property] || parts.contains { $0.isSomewhere(property) }
  }

  /// The schema of an array's elements.
  fileprivate var ofElements: Schema {
    for schema in [self] + parts { if case .each(let items) = schema.items { return items } }
    return Schema(at: position)
  }

  /// The schema of a key's value.
  fileprivate func ofValue(_ key: String) -> Schema {
    if let property = knownProperties.first(where: { $0.name == key }) { return property.schema }
    for schema in [self] + parts { if case .each(let others) = schema.others { return others } }
    return Schema(at: position)
  }
}
