internal import ArgumentParser
internal import JSON
internal import Model

/// One transfer on the command line.
struct TransferOptions: ParsableArguments {
  @Option(
    help: "How the data moves. (values: \(ChannelArgument.names))",
    completion: .list(Channel.names), transform: { try ChannelArgument($0) })
  var channel: ChannelArgument?

  @Option(help: "Whether the SDK's own sharing carries it, or the system's.")
  var via: SharingPath?

  @Option(help: "Bundle id of the app that acts. (default: \(Self.defaultApp))")
  var app: String?

  static let defaultApp = "com.contoso.mail"

  @Option(help: "The account that the app acts for; default: none.")
  var account: String?

  @Flag(help: "Whether policies apply to --account; by default their own targeting decides.")
  var managed: Managed?

  @Option(help: "Bundle id of the app at the other end.")
  var toApp: String?

  @Option(help: "The account that the app at the other end acts for.")
  var toAccount: String?

  @Flag(help: "Whether policies apply to --to-account; by default their own targeting decides.")
  var toManaged: ToManaged?

  @Option(
    name: .customLong("to-scheme"),
    help: """
      A URL scheme that the app at the other end registers: a policy may name its browser, dialer or messaging app by one. Can \
      be repeated.
      """)
  var toSchemes: [String] = []

  @Option(help: "Where data is saved to, or opened from.")
  var location: StorageLocation?

  @Option(help: "The account that the location belongs to; default: none.")
  var locationAccount: String?

  @Option(help: "The URL that is opened.")
  var url: String?

  @Option(help: "The text that moves.")
  var text: String?

  @Flag(help: "The device is enrolled in MDM, and the apps' configuration names their account.")
  var enrolled = false

  enum Managed: String, EnumerableFlag {
    case managed, unmanaged
  }

  enum ToManaged: String, EnumerableFlag {
    case toManaged, toUnmanaged
  }

  func validate() throws {
    if let channel { return try check(channel) }
    let isAlone =
      via == nil && account == nil && managed == nil && toManaged == nil && !enrolled
      && toApp == nil && toAccount == nil && toSchemes.isEmpty && location == nil
      && locationAccount == nil && url == nil && text == nil
    if !isAlone { throw ValidationError("Missing expected argument '--channel <channel>'.") }
  }

  /// Whether the transfer is between no accounts at all.
  var isForNobody: Bool { account == nil && toAccount == nil && locationAccount == nil }

  /// The request in the form of `sluice decide`; nil where no channel is given.
  var line: String? {
    guard let channel = channel?.channel else { return nil }
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("channel", channel.rawValue)
      writer.member("via", via?.rawValue)
      writeParties(channel, to: &writer)
      writer.member("location", location?.rawValue)
      if let locationAccount {
        writer.object("locationAccount") { $0.member("account", locationAccount) }
      }
      writer.member("url", url)
      writer.member("text", text)
      if enrolled { writer.object("device") { $0.member("mdmEnrolled", true) } }
    }
    return writer.text
  }

  /// Writes the parties. The app that acts receives data that comes in from the system or from a location; with
  /// `import` the app at the other end is asked.
  private func writeParties(_ channel: Channel, to writer: inout JSONWriter) {
    writer.object(channel.isIncoming ? "receiver" : "sender") { writer in
      write(app ?? Self.defaultApp, account, managed.map { $0 == .managed }, to: &writer)
    }
    guard let toApp else { return }
    writer.object(channel.isIncoming ? "sender" : "receiver") { writer in
      write(toApp, toAccount, toManaged.map { $0 == .toManaged }, to: &writer)
      guard !toSchemes.isEmpty else { return }
      writer.array("schemes") { writer in toSchemes.forEach { writer.string($0) } }
    }
  }

  private func write(
    _ app: String, _ account: String?, _ isManaged: Bool?, to writer: inout JSONWriter
  ) {
    writer.member("app", app)
    writer.member("account", account)
    if let isManaged { writer.member("managed", isManaged) }
    if enrolled {
      writer.member("mdmManaged", true)
      if account != nil { writer.member("enrolledUPN", true) }
    }
  }
}
