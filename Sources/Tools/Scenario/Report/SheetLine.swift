/// One destination of a share sheet, as far as expectations ask for it.
public struct SheetLine: Sendable, Equatable {
  /// The scenario's name for the app or extension, or that of a built-in action.
  public var name: String
  /// The bundle id of the app or extension; nil for the system's own actions.
  public var bundleID: String?
  public var visibility: Visibility
  /// The reasons in a few words.
  public var why: String

  /// The visibility of a destination.
  public enum Visibility: String, Sendable, CaseIterable {
    case shown, encrypted, hidden
  }

  /// Creates a line of a share sheet.
  public init(name: String, bundleID: String? = nil, visibility: Visibility, why: String) {
    self.name = name
    self.bundleID = bundleID
    self.visibility = visibility
    self.why = why
  }

  private var text: String {
    "`\(name)` \(visibility == .encrypted ? "shown encrypted" : visibility.rawValue) by \(why)"
  }
}

extension SheetLine {
  /// Compares a destination with its expected visibility.
  ///
  /// - Parameter line: the destination; nil: the sheet has none of that name.
  static func compare(
    _ name: String, _ expected: String, with line: SheetLine?, among met: Set<Visibility>
  ) -> Comparison {
    Comparison(
      expected: "`\(name)` \(expected)", found: line?.text ?? "no destination `\(name)`",
      isMet: line.map { met.contains($0.visibility) } ?? false)
  }
}

extension Expectation {
  /// Compares each destination that the expectation names.
  func compareSheet(with observation: Observation) -> [Comparison] {
    func compare(
      _ names: [String], _ expected: String, among met: Set<SheetLine.Visibility>
    ) -> [Comparison] {
      names.map { name in
        let line = observation.sheet?.first { $0.name == name || $0.bundleID == name }
        return SheetLine.compare(name, expected, with: line, among: met)
      }
    }
    return compare(shown, "shown", among: [.shown, .encrypted])
      + compare(encrypted, "shown encrypted", among: [.encrypted])
      + compare(hidden, "hidden", among: [.hidden])
  }
}
