public import JSON

/// The value of a setting as Microsoft Graph writes it.
public enum GraphValue: Sendable, Hashable, CustomStringConvertible {
  case null
  case flag(Bool)
  case number(Int)
  case text(String)
  case texts([String])

  /// The value as one word or list: `managedApps`, `P90D`, `box, sharePoint`; `none` for null, an empty text or an
  /// empty list.
  public var description: String {
    switch self {
    case .null: "none"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number): "\(number)"
    case .text(let text): text.isEmpty ? "none" : text
    case .texts(let texts): texts.isEmpty ? "none" : texts.joined(separator: ", ")
    }
  }

  /// Writes the value into JSON.
  public func write(to writer: inout JSONWriter) {
    switch self {
    case .null: writer.null()
    case .flag(let flag): writer.bool(flag)
    case .number(let number): writer.number(number)
    case .text(let text): writer.string(text)
    case .texts(let texts): writer.array { for text in texts { $0.string(text) } }
    }
  }
}
