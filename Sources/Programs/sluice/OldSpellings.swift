internal import ArgumentParser
internal import Encodings

/// A command, option or argument as earlier releases spelled it, and its replacement.
///
/// Old spellings are replaced before arguments are parsed. Commands therefore do not declare them, and help does not
/// show them.
struct OldSpelling {
  /// The words of the command to which the spelling belongs, after `sluice` and without default subcommands. For a
  /// renamed command, the old words.
  private let command: [String]
  private let change: Change

  private enum Change {
    /// The command was renamed. The associated value is its new words.
    case command([String])
    /// The option `old` is now called `new`.
    case option(old: String, new: String)
    /// The option `option`, which took values, is now the flag `flag`. Its values are now arguments.
    case flag(option: String, flag: String)
    /// The option was removed, and its value is now an argument. The associated value is the option's names.
    case argument(of: [String])
    /// The argument was removed, and its value now belongs to an option. This applies only if the command line has one
    /// argument, the argument is a scenario, and no option in `unless` is given.
    case value(of: String, unless: [String])
  }

  /// The release that no longer accepts old spellings.
  private static let end = "0.3"

  static let all: [OldSpelling] = [
    .command("config", "app-config"),
    .command("configuration", "app-config"),
    .command("spec", "app-config spec"),
    .option("app-config lint", "--against", "--spec"),
    .argument("decide", of: "--policy", "-p"),
    .argument("explain", of: "--policy", "-p"),
    .flag("matrix", "--policies", "--compare"),
    .option("leaks", "--keep", "--preserve"),
    .option("leaks", "--against", "--baseline"),
    .option("criteria", "--only", "--filter"),
    .option("criteria", "--keep", "--output-dir"),
    .option("demo", "--keep", "--output-dir"),
    .option("fleet run", "--keep", "--output-dir"),
    .option("run", "--keep", "--output-dir"),
    .option("up", "--keep", "--output-dir"),
    .option("criteria", "--on", "--executor"),
    .option("fleet run", "--on", "--executor"),
    .option("leaks", "--on", "--executor"),
    .option("replay", "--on", "--executor"),
    .option("run", "--on", "--executor"),
    .option("walk", "--on", "--executor"),
    // This row follows the rows of the command's options, so an option's value is not mistaken for
    // the argument.
    .value("leaks", of: "--scenario", unless: "--apps"),
  ]

  private static func command(_ old: String, _ new: String) -> OldSpelling {
    OldSpelling(command: words(old), change: .command(words(new)))
  }

  private static func option(_ command: String, _ old: String, _ new: String) -> OldSpelling {
    OldSpelling(command: words(command), change: .option(old: old, new: new))
  }

  private static func flag(_ command: String, _ option: String, _ flag: String) -> OldSpelling {
    OldSpelling(command: words(command), change: .flag(option: option, flag: flag))
  }

  private static func argument(_ command: String, of options: String...) -> OldSpelling {
    OldSpelling(command: words(command), change: .argument(of: options))
  }

  private static func value(
    _ command: String, of option: String, unless others: String...
  ) -> OldSpelling {
    OldSpelling(command: words(command), change: .value(of: option, unless: others))
  }

  private static func words(_ text: String) -> [String] {
    text.split(separator: " ").map(String.init)
  }

  /// The renamed commands: the old name, and the words of the new name after `sluice`.
  static var commands: [(old: String, new: [String])] {
    all.compactMap { row in
      guard case .command(let new) = row.change else { return nil }
      return (row.command.joined(separator: " "), new)
    }
  }

  fileprivate var warning: String {
    let path = (["sluice"] + command).joined(separator: " ")
    let (old, new) =
      switch change {
      case .command(let words): (path, (["sluice"] + words).joined(separator: " "))
      case .option(let old, let new), .flag(let old, let new):
        ("\(path) \(old)", "\(path) \(new)")
      case .argument(let options): ("\(path) \(options.first ?? "") VALUE", "\(path) VALUE")
      case .value(let option, _): ("\(path) VALUE", "\(path) \(option) VALUE")
      }
    return "warning: `\(old)` is now `\(new)`; the old name works until \(Self.end)"
  }
}

// MARK: - Arguments

/// The arguments of a command line, with old spellings replaced by current ones.
struct PresentSpelling {
  /// The arguments after the program's name.
  private(set) var arguments: [String]
  /// The warnings: one for each old spelling that was replaced.
  private(set) var warnings: [String] = []

  static let ofProcess = PresentSpelling(of: Array(CommandLine.arguments.dropFirst()))

  init(of arguments: [String]) {
    self.arguments = arguments
    for row in OldSpelling.all { replace(row) }
  }

  private mutating func replace(_ row: OldSpelling) {
    guard let replaced = row.replaced(in: arguments) else { return }
    arguments = replaced
    warnings.append(row.warning)
  }
}

extension OldSpelling {
  /// Returns the arguments with this old spelling replaced; nil if they do not contain it.
  fileprivate func replaced(in arguments: [String]) -> [String]? {
    // `sluice help COMMAND`
    let start = arguments.first == "help" ? 1 : 0
    let words = Array(arguments[start...])
    if case .command(let new) = change {
      guard words.starts(with: command) else { return nil }
      return arguments[..<start] + new + words.dropFirst(command.count)
    }
    guard start == 0, let called = CalledCommand(words), called.path == command else { return nil }
    guard let rest = replacedRest(Array(words.dropFirst(called.count)), of: called.type) else {
      return nil
    }
    // The default subcommand is added, because a moved argument might match the name of another
    // subcommand.
    return called.words + rest
  }

  private func replacedRest(
    _ words: [String], of type: any ParsableCommand.Type
  ) -> [String]? {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    var kept: [String] = []
    switch change {
    case .command: return nil
    case .option(let old, let new):
      for word in words[..<end] { kept.append(Self.renamed(word, old, new)) }
    case .flag(let option, let flag):
      for word in words[..<end] {
        let parts = Self.withoutName(word, [option])
        kept += parts == [word] ? parts : [flag] + parts
      }
    case .argument(let options):
      for word in words[..<end] { kept += Self.withoutName(word, options) }
    case .value(let option, let others):
      let known = ([option] + others).contains { name in
        words.contains { $0 == name || $0.hasPrefix(name + "=") }
      }
      guard !known, let index = ValueOptions(of: type).onlyArgument(in: words),
        [".yaml", ".yml"].contains(where: words[index].hasSuffix) || words[index] == "-"
      else { return nil }
      // A value after `--` may begin with `-`.
      return words[..<min(index, end)] + ["\(option)=\(words[index])"] + words[(index + 1)...]
    }
    kept += words[end...]
    return kept == words ? nil : kept
  }

  /// Returns `word` with the option's new name if it begins with the old name; otherwise, `word` unchanged.
  private static func renamed(_ word: String, _ old: String, _ new: String) -> String {
    word == old || word.hasPrefix(old + "=") ? new + word.dropFirst(old.count) : word
  }

  /// Removes an option's name from a word. Returns an empty array for `--option`, the value for `--option=value`, and
  /// any other word unchanged.
  private static func withoutName(_ word: String, _ options: [String]) -> [String] {
    if options.contains(word) { return [] }
    guard let option = options.first(where: { word.hasPrefix($0 + "=") }) else { return [word] }
    return [String(word.dropFirst(option.count + 1))]
  }
}

// MARK: - Commands

private struct CalledCommand {
  /// The words of the command after `sluice`, including default subcommands that the user may leave out.
  private(set) var words: [String] = []
  /// The words of the command after `sluice`, without default subcommands.
  private(set) var path: [String] = []
  /// The number of leading arguments that are words of the command.
  private(set) var count = 0
  private(set) var type: any ParsableCommand.Type = Sluice.self

  /// Finds the command at the beginning of the arguments. Returns nil if there is none, or if it is unknown.
  init?(_ arguments: [String]) {
    for word in arguments {
      guard let next = type.configuration.subcommands.first(where: { $0._commandName == word })
      else { break }
      enter(next)
      count += 1
    }
    while let next = type.configuration.defaultSubcommand { enter(next) }
    guard !words.isEmpty, type.configuration.subcommands.isEmpty else { return nil }
  }

  private mutating func enter(_ command: any ParsableCommand.Type) {
    if type.configuration.defaultSubcommand != command { path.append(command._commandName) }
    words.append(command._commandName)
    type = command
  }
}

/// The names of a command's options that take a value.
private struct ValueOptions {
  private let names: Set<String>

  init(of command: any ParsableCommand.Type) {
    let help = try? JSONReader.read(command._dumpHelp())
    let options = (help?["command"]?["arguments"]?.array ?? [])
      .filter { $0["kind"]?.string == "option" }
    names = Set(
      options.flatMap { $0["names"]?.array ?? [] }.compactMap { name in
        name["name"]?.string.map { (name["kind"]?.string == "long" ? "--" : "-") + $0 }
      })
  }

  /// Returns the index of the argument if there is exactly one; otherwise nil. Options and their values are not
  /// arguments.
  func onlyArgument(in words: [String]) -> Int? {
    let end = words.firstIndex(of: "--") ?? words.endIndex
    var found = Array(words.indices[end...].dropFirst())
    var isValue = false
    for (index, word) in words[..<end].enumerated() {
      if isValue {
        isValue = false
      } else if names.contains(word) {
        isValue = true
      } else if word == "-" || !word.hasPrefix("-") {
        found.append(index)
      }
    }
    return found.count == 1 ? found[0] : nil
  }
}
