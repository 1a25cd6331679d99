internal import Model

/// A placeholder in a configuration, such as `{{mail}}`, that the service replaces by a value.
///
/// Sources: for managed devices, Microsoft Learn, "Add app configuration policies for managed iOS/iPadOS devices",
/// tokens used in the property list; `signeddeviceid` comes from that page's section on the Company Portal. For managed
/// apps, "App configuration policies for Intune App SDK managed apps", configuration values for using tokens.
package enum ConfigurationToken: String, Sendable, CaseIterable {
  case userprincipalname, mail, partialupn, accountid, deviceid, userid, username, serialnumber
  case serialnumberlast4digits, udidlast4digits, aaddeviceid, issupervised
  case onpremisessamaccountname, signeddeviceid, primarysmtpaddress

  package func isReplaced(in channel: AppConfigurationDocument.Channel) -> Bool {
    switch self {
    case .userprincipalname, .mail, .partialupn, .accountid, .userid, .username: true
    case .deviceid, .serialnumber, .serialnumberlast4digits, .udidlast4digits, .aaddeviceid,
      .issupervised, .onpremisessamaccountname, .signeddeviceid:
      channel == .managedDevices
    case .primarysmtpaddress: channel == .managedApps
    }
  }

  /// The token as a configuration contains it, such as `{{mail}}`.
  package var spelling: String { "{{\(rawValue)}}" }

  /// Creates the token with this name. Case and surrounding white space do not matter. Nil if there is no such token.
  package init?(name: some StringProtocol) {
    let word = name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    self.init(rawValue: word)
  }
}

/// The values that replace tokens in configurations for one account on one device.
struct ConfigurationTokens: Sendable {
  private let account: Account
  /// The values that the scenario states, because they cannot be derived from the account: an Intune account, device
  /// numbers, a user's names.
  private let values: [ConfigurationToken: String]
  private let channel: AppConfigurationDocument.Channel

  init(
    _ account: Account, values: [ConfigurationToken: String] = [:],
    in channel: AppConfigurationDocument.Channel = .managedDevices
  ) {
    self.account = account
    self.values = values
    self.channel = channel
  }

  /// Returns the value that replaces the token; nil if the value is unknown, or if the service does not replace the
  /// token in this channel.
  func value(of token: ConfigurationToken) -> String? {
    guard token.isReplaced(in: channel) else { return nil }
    if let value = values[token] { return value }
    return switch token {
    // Assumed: the mailbox address equals the UPN.
    case .userprincipalname, .mail, .primarysmtpaddress: account.upn
    case .partialupn: String(account.upn.prefix { $0 != "@" })
    case .userid: account.objectID
    case .serialnumberlast4digits: values[.serialnumber].map { String($0.suffix(4)) }
    // A device is unsupervised unless the scenario states otherwise.
    case .issupervised: "False"
    case .accountid, .deviceid, .username, .serialnumber, .udidlast4digits, .aaddeviceid,
      .onpremisessamaccountname, .signeddeviceid:
      nil
    }
  }

  /// Returns the text with tokens replaced. A token without a known value stays unchanged.
  func filling(_ text: String) -> String {
    TokenText(text).pieces.map { piece in
      switch piece {
      case .literal(let text): text
      case .token(let token, let spelling): value(of: token) ?? spelling
      case .unknown(let spelling): spelling
      }
    }.joined()
  }

  func filling(_ value: ConfigurationValue) -> ConfigurationValue {
    switch value {
    case .text(let text): .text(filling(text))
    case .list(let values): .list(values.map(filling))
    case .dictionary(let values): .dictionary(values.mapValues(filling))
    case .integer, .real, .boolean: value
    }
  }

  /// Returns the tokens in `value` whose values are unknown. Tokens that the service does not replace in this channel
  /// are left out.
  func unresolved(in value: ConfigurationValue) -> [ConfigurationToken] {
    TokenText.tokens(in: value).filter { $0.isReplaced(in: channel) && self.value(of: $0) == nil }
  }
}

/// A text, split into literal text and tokens.
struct TokenText {
  enum Piece: Equatable {
    case literal(String)
    case token(ConfigurationToken, spelling: String)
    /// A text in double braces that is not a known token. The value includes the braces.
    case unknown(String)
  }

  private(set) var pieces: [Piece] = []

  init(_ text: String) {
    var rest = Substring(text)
    while let open = rest.firstRange(of: "{{") {
      let inside = rest[open.upperBound...]
      guard let close = inside.firstRange(of: "}}") else { break }
      // In `{{{mail}}`, the last two opening braces are the delimiter.
      var start = close.lowerBound
      while !rest[..<start].hasSuffix("{{") { start = rest.index(before: start) }
      let name = rest[start..<close.lowerBound]
      let opening = rest.index(start, offsetBy: -2)
      if opening > rest.startIndex { pieces.append(.literal(String(rest[..<opening]))) }
      let spelling = String(rest[opening..<close.upperBound])
      pieces.append(
        ConfigurationToken(name: name).map { .token($0, spelling: spelling) }
          ?? .unknown(spelling))
      rest = rest[close.upperBound...]
    }
    if !rest.isEmpty { pieces.append(.literal(String(rest))) }
  }

  /// Returns the tokens in all texts of `value`, without duplicates, in the order of the enumeration's cases.
  static func tokens(in value: ConfigurationValue) -> [ConfigurationToken] {
    var found: Set<ConfigurationToken> = []
    visit(value) { if case .token(let token, _) = $0 { found.insert(token) } }
    return ConfigurationToken.allCases.filter(found.contains)
  }

  static func unknown(in value: ConfigurationValue) -> [String] {
    var found: [String] = []
    visit(value) { if case .unknown(let spelling) = $0 { found.append(spelling) } }
    return found
  }

  private static func visit(_ value: ConfigurationValue, _ body: (Piece) -> Void) {
    switch value {
    case .text(let text): for piece in TokenText(text).pieces { body(piece) }
    case .list(let values): for value in values { visit(value, body) }
    case .dictionary(let values):
      for (_, value) in values.sorted(by: { $0.key < $1.key }) { visit(value, body) }
    case .integer, .real, .boolean: break
    }
  }
}
