internal import ArgumentParser
internal import CRevision
internal import EventLoop
@preconcurrency internal import Glibc
internal import Output

@main
enum Program {
  static func main() {
    StandardDescriptors.complete()
    // Ignoring the signal turns an exceeded file size limit into a write error, like a full disk
    // (setrlimit(2)).
    signal(SIGXFSZ, SIG_IGN)
    StandardOutput.watch()
    DescriptorLimit.raise()
    let line = PresentSpelling.ofProcess
    for warning in line.warnings { Failure.print(warning) }
    if let unknown = UnknownCommand(in: line.arguments) {
      Sluice.exit(withError: ValidationError(unknown.message))
    }
    Sluice.main(line.arguments)
  }
}

struct Sluice: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sluice",
    abstract:
      "Run a simulated managed iPhone: apps as processes, under your app protection policies.",
    discussion: ExitStatus.help,
    version: Version.text,
    groupedSubcommands: [
      CommandGroup(name: "Start", subcommands: [Demo.self, New.self, Doctor.self]),
      CommandGroup(
        name: "Ask a policy",
        subcommands: [
          Explain.self, TenantCommand.self, Matrix.self, Leaks.self, StudioCommand.self,
          PolicyCommand.self,
          Decide.self, EvidenceCommand.self, FieldKitCommand.self,
        ]),
      CommandGroup(
        name: "Run scenarios",
        subcommands: [Run.self, Criteria.self, Walk.self, MergeCommand.self, FleetCommand.self]),
      CommandGroup(
        name: "Look at results",
        subcommands: [
          ReportCommand.self, View.self, Top.self, Flows.self, ReplayCommand.self, Export.self,
          Residue.self,
        ]),
      CommandGroup(
        name: "Keep a device running",
        subcommands: [
          Up.self, Ctl.self, Shell.self, Admin.self, Down.self, DeviceCommand.self,
        ]),
      CommandGroup(
        name: "Inspect apps",
        subcommands: [
          BundleCommand.self, ShareSheetCommand.self, AppConfigurationCommand.self, Code.self,
        ]),
    ])
}

// MARK: - Unknown commands

/// An argument where a command name is expected, but which names no command.
private struct UnknownCommand {
  private let word: String
  /// The names of the commands before the unknown word, beginning with `sluice`.
  private let path: [String]
  private let parent: any ParsableCommand.Type

  /// Finds the first unknown command in `arguments`, which do not include the program's name. Returns nil if there is
  /// none.
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
    let command = path.joined(separator: " ")
    let start = "`\(command)` has no command `\(word)`"
    let meant = meant.map { "`\($0)`" }
    guard !meant.isEmpty else { return start + "; `\(command) --help` lists the commands" }
    return start + "; did you mean \(ListFormat.any(of: meant))?"
  }

  /// The commands to suggest: all commands below `sluice` that have or had this name. If there are none, the command
  /// with the most similar name at this level.
  private var meant: [String] {
    var same = Self.paths(of: Sluice.self, ["sluice"]).filter { $0.last == word.lowercased() }
    for (old, new) in OldSpelling.commands where old == word.lowercased() {
      let path = ["sluice"] + new
      if !same.contains(path) { same.append(path) }
    }
    guard same.isEmpty else { return same.map { $0.joined(separator: " ") } }
    var paths: [String: [String]] = [:]
    for command in parent.configuration.subcommands where command.configuration.shouldDisplay {
      paths[command._commandName] = path + [command._commandName]
    }
    if path.count == 1 {
      for (old, new) in OldSpelling.commands { paths[old] = path + new }
    }
    return Suggestion.word(for: word, among: paths.keys.sorted()).flatMap { paths[$0] }
      .map { [$0.joined(separator: " ")] } ?? []
  }

  /// Returns the paths of all commands below `command` that are shown in help. `path` is the path of `command`.
  private static func paths(
    of command: any ParsableCommand.Type, _ path: [String]
  ) -> [[String]] {
    let shown = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    return shown.flatMap { subcommand in
      let own = path + [subcommand._commandName]
      return [own] + paths(of: subcommand, own)
    }
  }
}

// MARK: - The version

enum Version {
  static let current = "0.1.0"

  /// The version. If it is known, the commit of the build follows.
  static var text: String {
    guard let revision = sluice_revision() else { return "sluice \(current)" }
    return "sluice \(current) (\(String(cString: revision)))"
  }
}

// MARK: - Standard output

private enum StandardOutput {
  /// Makes the command exit with status 2 if its output cannot be written completely, for example because the disk is
  /// full.
  ///
  /// A reader that closes the pipe early does not cause an error.
  static func watch() {
    atexit {
      errno = 0
      let isFlushed = fflush(stdout) == 0 && ferror(stdout) == 0
      let reason = errno
      guard !isFlushed, !StandardOutput.isWithoutReader else { return }
      let why = reason == 0 ? "" : ": " + String(cString: strerror(reason)).lowercased()
      fputs("sluice: error: the output cannot be written\(why) [file]\n", stderr)
      _exit(2)
    }
  }

  /// Whether standard output is a pipe, socket or terminal whose reader has closed it (poll(2)).
  private static var isWithoutReader: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, 0) == 1 && output.revents & Int16(POLLERR) != 0
  }
}
