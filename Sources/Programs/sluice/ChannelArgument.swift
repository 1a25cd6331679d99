internal import ArgumentParser
internal import Diagnostics
internal import Model

/// A channel on the command line, by any of its names.
struct ChannelArgument: Sendable {
  let channel: Channel
  /// The name as it was typed, for messages.
  let name: String

  /// The names of all channels, for help and messages.
  static let names = Channel.names.joined(separator: ", ")

  /// Finds the channel of a name.
  ///
  /// - Throws: `ValidationError` where no channel has the name.
  init(_ name: String) throws {
    guard let channel = Channel(named: name) else {
      let hint = NearestWord.to(name, among: Channel.names).map { Suggestion.text($0) }
      throw ValidationError(
        "no channel is called `\(name)`" + (hint ?? "; --help lists them"))
    }
    self.channel = channel
    self.name = name
  }
}
