internal import ArgumentParser
internal import EventLoop
internal import Glibc

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
