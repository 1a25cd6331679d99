internal import ArgumentParser
internal import EventLoop

@main
enum Program {
  static func main() {
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
