public import ArgumentParser
internal import Conformance
public import Host
public import Leaks
public import Model
internal import Output
internal import UniformTypes

// The names on the command line are the engine's raw values.

extension SharingPath: ExpressibleByArgument {}
extension Standing.Minimum: ExpressibleByArgument {}
extension StorageLocation: ExpressibleByArgument {}
extension SystemCallProfile.Strictness: ExpressibleByArgument {}
extension DeviceConfiguration.Lineage: ExpressibleByArgument {}
extension LeakSearch.Behaviour: ExpressibleByArgument {}
extension SignInChoice: ExpressibleByArgument {}

/// A command-line value in the form `NAME=VALUE`.
struct NamedValue: ExpressibleByArgument {
  let name: String
  let value: String

  init?(argument: String) {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty else { return nil }
    (name, value) = (String(parts[0]), String(parts[1]))
  }
}

/// A channel on the command line. Any of the channel's names is accepted.
struct ChannelArgument: Sendable {
  let channel: Channel
  /// The name that the user typed, for messages.
  let name: String

  /// The names of all channels, comma-separated, for help and messages.
  static let names = Channel.names.joined(separator: ", ")

  /// The channel to suggest if the user enters a synonym. Keys are synonyms, values are channel names.
  private static let synonyms = [
    "airdrop": "share", "copy": "clipboard", "email": "mailComposer", "export": "saveTo",
    "link": "openURL", "mail": "mailComposer", "message": "messageComposer",
    "open": "openFrom", "pasteboard": "clipboard", "printer": "print", "save": "saveTo",
    "screenshot": "screenCapture", "sms": "messageComposer", "url": "openURL",
  ]

  init(_ name: String) throws {
    guard let channel = Channel(named: name) else {
      let meant =
        Self.synonyms[name.lowercased()] ?? Suggestion.word(for: name, among: Channel.names)
      throw ValidationError(
        "no channel is called `\(name)`"
          + (meant.map { Suggestion.text($0) } ?? "; --help lists them"))
    }
    self.channel = channel
    self.name = name
  }
}

enum UniformTypeArgument {
  /// Returns the types of each attachment in a value of `--item`.
  ///
  /// `,` separates the types of one attachment, and `+` separates attachments. Each further `--item` adds attachments
  /// to the same item.
  static func attachments(_ text: String) -> [[String]] {
    text.split(separator: "+", omittingEmptySubsequences: false).map { attachment in
      attachment.split(separator: ",").map { type in
        String(type.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
      }
    }
  }

  /// Checks that `types`, parsed from `text`, is not empty and contains only valid type identifiers.
  static func check(_ types: [String], of text: String) throws {
    if types.isEmpty {
      throw ValidationError(
        "`\(text)` contains no uniform type; expected one, such as `public.jpeg`")
    }
    for type in types where !TypeLibrary.isIdentifier(type) {
      throw ValidationError("`\(type)` is not a uniform type; expected one, such as `public.jpeg`")
    }
  }

  /// Returns a warning for each type that `library` does not declare, because such a type conforms only to itself.
  static func warnings(about types: [String], in library: TypeLibrary) -> [String] {
    types.compactMap { type -> String? in
      let plain = IntuneTypeAlias.original(of: type) ?? type
      guard library.declaration(of: plain) == nil else { return nil }
      let ending = plain.split(separator: ".").last.map(String.init) ?? ""
      let meant =
        library.type(forFilenameExtension: ending)
        ?? Suggestion.word(for: plain, among: library.declarations.map(\.identifier))
      return Diagnostic(
        .command,
        "neither the system nor the app declares the type `\(plain)`" + Suggestion.text(meant),
        rule: "undeclaredType", severity: .warning
      ).description
    }
  }
}
