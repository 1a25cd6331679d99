internal import ArgumentParser
internal import Clusters
internal import Scenario
internal import Sharding
internal import Simulation

struct MergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Make the reports of a run whose parts ran apart.",
    discussion: """
      Takes the blobs that `--shard I/N --blob FILE` left, of all parts and in any order. The reports are those of a \
      run in one go, but for times. Nothing is run.

      With --resume, a job that `--on` submitted here goes on to be waited for, where its submitter has ended; parts by ssh that are not done are begun anew.

      Exit status: 0 all as expected, 1 an expectation failed or too little was covered, 2 a blob is missing, twice \
      there, cut off or of another run, 64 usage, 70 real processes do not have a leak that was found.
      """)

  @Argument(help: "The blobs of all parts, or folders of them.", completion: .file())
  var blobs: [String] = []

  @Option(
    help: ArgumentHelp(
      "Wait for the parts of a job that was submitted here, in place of blobs, and cancel it on Ctrl-C.",
      valueName: "job"))
  var resume: String?

  @Option(help: "Format of the report on standard output, which the run must have.")
  var format = MergeFormat.text

  @Option(
    help: ArgumentHelp(
      "A report into a file too; without FORMAT the extension tells it. Can be repeated.",
      valueName: "format=path"),
    transform: { try FileOutput<MergeFormat>($0) })
  var output: [FileOutput<MergeFormat>] = []

  @Option(help: "Whether text is coloured.")
  var color = ColorChoice.auto

  @Flag(name: .shortAndLong, help: "Show the steps and reasons of passing cases too.")
  var verbose = false

  @OptionGroup var coverage: CoverageOptions

  func run() throws {
    do throws(RunError) {
      for file in output { try TextFile.check(file.path, isNoneOf: blobs) }
      let merge =
        if let resume {
          try JobWait.merge { () throws(RunError) in
            try JobResumption.job(named: resume, program: CommandWords.program)
          }
        } else {
          try Merge(of: BlobFiles.read(blobs))
        }
      let report = MergedReport(
        merge, format, output, color, verbose ? .everything : .titles, coverage)
      if try !report.show() { Self.exit(withError: Failure.expectation) }
    } catch {
      throw Failure.report(error)
    }
  }

  func validate() throws {
    guard blobs.isEmpty != (resume == nil) else {
      throw ValidationError("expected blobs, or --resume with the name of a job.")
    }
  }
}
