internal import Model

/// One end of a representative flow: the party that hands data over, or gets it.
public enum End: String, Sendable, CaseIterable {
  /// The account that the policy protects, in a policy managed app.
  case managed
  /// Another account of the same organisation, under the same policy in its app.
  case colleague
  /// An account of another organisation, under the same policy in its app.
  case otherOrganisation
  /// An app without any policy; where the app itself is at both ends, its personal account.
  case unmanaged
  /// An app that links the Intune App SDK, without an enrolled account.
  case unenrolled
  /// Data of the managed account, handed over while the app acts for its personal account.
  case orgData
  /// A party that is no app: a printer, the Files app, the keyboard.
  case system

  /// The end in one or two words, where it stands for an app or for an account of one.
  var words: String {
    switch self {
    case .managed: "managed"
    case .colleague: "colleague"
    case .otherOrganisation: "other org"
    case .unmanaged: "unmanaged"
    case .unenrolled: "unenrolled SDK app"
    case .orgData: "org data (personal account acts)"
    case .system: "system"
    }
  }

  var account: Account? {
    switch self {
    case .managed: Self.anna
    case .colleague: Account(upn: "ben@contoso.com")
    case .otherOrganisation: Account(upn: "carl@fabrikam.com")
    case .orgData: Self.personal
    case .unmanaged, .unenrolled, .system: nil
    }
  }

  /// The account that owns the data of representative flows.
  static let anna = Account(upn: "anna@contoso.com")
  /// The account that no policy protects in the app that acts.
  static let personal = Account(upn: "anna@example.org")

  /// Whether the policy applies to the account.
  var isManaged: Bool {
    switch self {
    case .managed, .colleague, .otherOrganisation: true
    case .unmanaged, .unenrolled, .orgData, .system: false
    }
  }
}

/// Both ends of a representative flow.
public struct Parties: Sendable, Hashable {
  public var from: End
  public var to: End

  /// Creates the ends of a flow.
  public init(_ from: End, to: End) {
    self.from = from
    self.to = to
  }

  /// Both ends on a channel in words, such as `managed -> unmanaged`.
  func words(on channel: Channel) -> String {
    let isFromFar = channel == .openFrom
    let words = [(from, isFromFar), (to, !isFromFar)].map { end, isFar in
      isFar ? farWords(end, on: channel) : nearWords(end, on: channel)
    }
    return words.joined(separator: " -> ")
  }

  /// The end that acts: an account of the app, or another app.
  private func nearWords(_ end: End, on channel: Channel) -> String {
    end == .unmanaged && channel.counterpart != .app ? "personal account" : end.words
  }

  /// The end that does not act, in words.
  private func farWords(_ end: End, on channel: Channel) -> String {
    switch end {
    case .managed:
      switch channel.counterpart {
      case .app: from == to ? "same account" : end.words
      case .location: from == to ? "own account" : end.words
      case .url: "managed app"
      case .system: end.words
      }
    case .unmanaged:
      switch channel.counterpart {
      case .location: "no account"
      case .url: "unmanaged app"
      case .app, .system: nearWords(end, on: channel)
      }
    case .colleague, .otherOrganisation, .unenrolled, .orgData, .system: end.words
    }
  }

  /// Whether an administrator thinks of these parties first; others are reported only where they add something.
  var isPlain: Bool {
    ![from, to].contains { [.colleague, .unenrolled, .orgData].contains($0) }
  }
}
