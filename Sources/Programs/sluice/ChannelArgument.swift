internal import ArgumentParser
internal import Model

/// A channel on the command line, by any of its names.
struct ChannelArgument: ExpressibleByArgument {
  let channel: Channel
  /// The name as it was typed, for messages.
  let name: String

  init?(argument: String) {
    guard let channel = Channel(named: argument) else { return nil }
    self.channel = channel
    name = argument
  }

  static var allValueStrings: [String] { Channel.names }
}
