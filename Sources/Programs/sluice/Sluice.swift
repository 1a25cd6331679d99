internal import ArgumentParser
internal import CRevision
internal import EventLoop
@preconcurrency internal import Glibc
internal import Output

@main
enum Program {
  static func main() {
    StandardDescriptors.complete()
    // Report a file size limit as a write error, like a full disk (setrlimit(2)).
    signal(SIGXFSZ, SIG_IGN)
    StandardOutput.watch()
    DescriptorLimit.raise()
    if let unknown = UnknownCommand(in: Array(CommandLine.arguments.dropFirst())) {
      Sluice.exit(withError: ValidationError(unknown.message))
    }
    Sluice.main()
  }
}

struct Sluice: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sluice",
    abstract: "Runs a simulated managed iPhone: apps as processes, your app protection policies.",
    version: Version.text,
    subcommands: [
      Demo.self, Run.self, FleetCommand.self, MergeCommand.self, Criteria.self, Walk.self,
      ReportCommand.self,
      Export.self, Top.self,
      View.self,
      Flows.self,
      Leaks.self,
      ReplayCommand.self,
      DeviceCommand.self,
      Decide.self,
      Explain.self,
      Matrix.self, PolicyCommand.self, ConfigurationCommand.self, BundleCommand.self, Code.self,
      Residue.self,
      New.self, ShareSheetCommand.self, Spec.self, ConfigCommand.self, Up.self, Ctl.self,
      Shell.self, Down.self, Admin.self, Doctor.self,
    ])
}

// MARK: - Unknown commands

/// A word in place of a command name that names no command.
private struct UnknownCommand {
  private let word: String
  /// The names of the preceding commands, starting with `sluice`.
  private let path: [String]
  private let parent: any ParsableCommand.Type

  /// Finds the first such word; nil if there is none.
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

  /// Commands of this name elsewhere; if there are none, the most similar name here.
  private var meant: [String] {
    let same = Self.paths(of: Sluice.self, ["sluice"]).filter { $0.last == word.lowercased() }
    guard same.isEmpty else { return same.map { $0.joined(separator: " ") } }
    let names = parent.configuration.subcommands.map { $0._commandName }
    return NearestWord.to(word, among: names).map { [(path + [$0]).joined(separator: " ")] } ?? []
  }

  /// The paths of all commands below `command`.
  private static func paths(
    of command: any ParsableCommand.Type, _ path: [String]
  ) -> [[String]] {
    command.configuration.subcommands.flatMap { subcommand in
      let own = path + [subcommand._commandName]
      return [own] + paths(of: subcommand, own)
    }
  }
}

// MARK: - The version

enum Version {
  static let current = "0.1.0"

  /// The version, with the commit that it was built from if known.
  static var text: String {
    guard let revision = sluice_revision() else { return "sluice \(current)" }
    return "sluice \(current) (\(String(cString: revision)))"
  }
}

// MARK: - Standard output

private enum StandardOutput {
  /// Makes the command exit with status 2 if its output cannot be written completely, for
  /// example because the disk is full.
  ///
  /// A reader that closes the pipe early is not an error.
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

  /// Whether the output is a pipe, socket or terminal without a reader (poll(2)).
  private static var isWithoutReader: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, 0) == 1 && output.revents & Int16(POLLERR) != 0
  }
}
