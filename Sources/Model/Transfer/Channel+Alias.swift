extension Channel {
  /// The channel of that name, or of the word that scenarios have for it: `paste` is `clipboard`.
  public init?(named name: String) {
    guard let channel = Channel(rawValue: name) ?? Self.aliases[name] else { return nil }
    self = channel
  }

  /// Every name that ``init(named:)`` knows.
  public static let names = allCases.map(\.rawValue) + aliases.keys.sorted()

  private static let aliases: [String: Channel] = ["drop": .dragAndDrop, "paste": .clipboard]
}
