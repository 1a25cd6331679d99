extension Action {
  /// Output of a guest: its log, standard output or standard error.
  public struct ExpectedOutput: Sendable, Equatable {
    public var guest: String
    /// A part of a line.
    public var text: String

    /// Whether `output` has a line that contains the text.
    public func isMet(by output: String) -> Bool {
      output.split(whereSeparator: \.isNewline).contains { $0.contains(text) }
    }
  }
}

extension Action.ExpectedOutput {
  /// The output in a clause.
  public var words: String { "\(guest) has written `\(short(text))`" }

  /// Why a step that waits for it still does, in a clause.
  public func absence(from output: String) -> String {
    "`\(guest)` has written no line with `\(short(text))` since a step last looked"
      + (output.isEmpty ? "" : "; it wrote \(Excerpt(output).words)")
  }
}

extension Action.ExpectedOutput {
  static let mapping = MappingRow(
    "expectedOutput", Key.self,
    "A line that a guest has written since the case began, or since a `log` step last looked")

  enum Key: String, MappingKey {
    case app, text

    var row: KeyRow {
      switch self {
      case .app: .guest
      case .text: .required(.text, "A part of the line")
      }
    }
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "output")
    let text = try fields.required(.text)
    self.init(guest: try names.guest(fields.required(.app)), text: try text.text())
    guard !self.text.contains(where: \.isNewline), !self.text.isEmpty else {
      throw text.mistake(.invalidValue, "`text` must be a part of one line")
    }
  }
}
