public import Model

/// A placeholder between double braces that the service fills in, in a configuration for managed devices.
///
/// Source: Microsoft Learn, "Add app configuration policies for managed iOS/iPadOS devices", tokens used in the
/// property list; `signeddeviceid` is of its section on the Company Portal.
public enum ConfigurationToken: String, Sendable, CaseIterable {
  case userprincipalname, mail, partialupn, accountid, deviceid, userid, username, serialnumber
  case serialnumberlast4digits, udidlast4digits, aaddeviceid, issupervised
  case onpremisessamaccountname, signeddeviceid

  /// The token as a configuration writes it: `{{mail}}`.
  public var spelling: String { "{{\(rawValue)}}" }

  /// The token that `name` names in any casing, with or without space around it; nil where it names none.
  public init?(name: some StringProtocol) {
    let word = name.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    self.init(rawValue: word)
  }
}

/// The values of tokens on one device, for one account.
public struct ConfigurationTokens: Sendable {
  private let account: Account
  /// The values that only the scenario can state: an Intune account, device numbers, a user's names.
  private let told: [ConfigurationToken: String]

  /// Creates the values for `account`.
  public init(_ account: Account, told: [ConfigurationToken: String] = [:]) {
    self.account = account
    self.told = told
  }

  /// The value of the token; nil where nobody has told the device.
  public func value(of token: ConfigurationToken) -> String? {
    if let value = told[token] { return value }
    return switch token {
    // Assumed: the mailbox has the name that the account signs in with.
    case .userprincipalname, .mail: account.upn
    case .partialupn: String(account.upn.prefix { $0 != "@" })
    case .userid: account.objectID
    case .serialnumberlast4digits: told[.serialnumber].map { String($0.suffix(4)) }
    // Whoever does not say that a device is supervised has one that is not.
    case .issupervised: "False"
    case .accountid, .deviceid, .username, .serialnumber, .udidlast4digits, .aaddeviceid,
      .onpremisessamaccountname, .signeddeviceid:
      nil
    }
  }

  /// The text with known tokens filled in; the rest stays as it is.
  public func filling(_ text: String) -> String {
    TokenText(text).pieces.map { piece in
      switch piece {
      case .literal(let text): text
      case .token(let token, let spelling): value(of: token) ?? spelling
      case .unknown(let spelling): spelling
      }
    }.joined()
  }

  /// The value with known tokens filled in in all of its texts.
  public func filling(_ value: ConfigurationValue) -> ConfigurationValue {
    switch value {
    case .text(let text): .text(filling(text))
    case .list(let values): .list(values.map(filling))
    case .dictionary(let values): .dictionary(values.mapValues(filling))
    case .integer, .real, .boolean: value
    }
  }

  /// The tokens in the value that nobody has told the device.
  public func unresolved(in value: ConfigurationValue) -> [ConfigurationToken] {
    TokenText.tokens(in: value).filter { self.value(of: $0) == nil }
  }
}
