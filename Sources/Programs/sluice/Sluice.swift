internal import ArgumentParser
internal import CRevision
internal import EventLoop
@preconcurrency internal import Glibc
internal import Output

@main
enum Program {
  static func main() {
    StandardDescriptors.complete()
    // A file that may not grow is an error to tell, as a full disk is (setrlimit(2)).
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

/// A word on the command line where the name of a command is expected, and that names none.
private struct UnknownCommand {
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

// MARK: - The version

/// The version of this Sluice.
enum Version {
  static let current = "0.1.0"

  /// The version with the commit that it was built from, where the build was told.
  static var text: String {
    guard let revision = sluice_revision() else { return "sluice \(current)" }
    return "sluice \(current) (\(String(cString: revision)))"
  }
}

// MARK: - Standard output

/// The standard output of commands.
private enum StandardOutput {
  /// Has the command end with 2, with the reason, where its output cannot be written completely, as where the disk
  /// is full.
  ///
  /// A reader may close the pipe when it has read enough: that is no fault.
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

  /// Whether the output is a pipe, a socket or a terminal that has no reader any more (poll(2)).
  private static var isWithoutReader: Bool {
    var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, 0) == 1 && output.revents & Int16(POLLERR) != 0
  }
}
