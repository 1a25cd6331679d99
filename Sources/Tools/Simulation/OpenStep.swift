/// A step that has begun, on one or several devices.
struct OpenStep {
  let number: Int
  /// The parts of the step on devices that are up.
  let runs: [StepRun]
  /// The devices that the step is carried out on.
  let devices: [CaseDevice]

  /// The time once the step has let time pass, by the clock of all devices; the beginning of time for one that lets none pass.
  var end: Int { runs.map(\.clockEnd).max() ?? .min }
}
