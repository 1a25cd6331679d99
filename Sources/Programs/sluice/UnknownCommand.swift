internal import ArgumentParser
internal import Diagnostics

/// A word on the command line where the name of a command is expected, and that names none.
struct UnknownCommand {
  private let word: String
  /// The names of the commands before the word, from `sluice` on.
  private let path: [String]
  private let parent: any ParsableCommand.Type

  /// The first such word; nil where there is none.
  ///
  /// - Parameter arguments: the arguments without the program's name.
  init?(in arguments: [String]) {
    var command: any ParsableCommand.Type = Sluice.self
    var path = [command._commandName]
    for argument in arguments {
      let configuration = command.configuration
      guard !configuration.subcommands.isEmpty, configuration.defaultSubcommand == nil,
        !argument.hasPrefix("-"), argument != "help" || path.count > 1
      else { return nil }
      guard let next = configuration.subcommands.first(where: { $0._commandName == argument })
      else {
        word = argument
        self.path = path
        parent = command
        return
      }
      command = next
      path.append(next._commandName)
    }
    return nil
  }

  var message: String {
    let start = "`\(path.joined(separator: " "))` has no command `\(word)`"
    let meant = meant.map { "`\($0)`" }
    guard let last = meant.last else { return start }
    let others = meant.dropLast().joined(separator: ", ")
    return start + "; did you mean \(others.isEmpty ? last : "\(others) or \(last)")?"
  }

  /// The commands of this name elsewhere; otherwise the one at this place whose name is nearest.
  private var meant: [String] {
    let same = Self.paths(of: Sluice.self, ["sluice"]).filter { $0.last == word.lowercased() }
    guard same.isEmpty else { return same.map { $0.joined(separator: " ") } }
    let names = parent.configuration.subcommands.map { $0._commandName }
    return NearestWord.to(word, among: names).map { [(path + [$0]).joined(separator: " ")] } ?? []
  }

  /// The names that lead to each command below `command`.
  private static func paths(
    of command: any ParsableCommand.Type, _ path: [String]
  ) -> [[String]] {
    command.configuration.subcommands.flatMap { subcommand in
      let own = path + [subcommand._commandName]
      return [own] + paths(of: subcommand, own)
    }
  }
}
