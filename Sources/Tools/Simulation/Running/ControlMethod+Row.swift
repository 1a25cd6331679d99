internal import JSON
internal import Model
internal import Scenario

/// The declaration of a method, in one place; a method without one does not compile.
package struct ControlMethodRow {
  /// The method's effect or answer, in a phrase.
  package let text: String
  /// The command that calls the method, for users who do not speak the protocol.
  package let caller: Caller
  /// The names of the method's parameters; empty: the method takes none.
  package let parameters: [String]
  let answer: (DeviceMethods, ControlJob) throws(ControlError) -> Void

  /// A command that calls a method.
  package enum Caller: Sendable {
    /// `sluice ctl` and `sluice shell`, by the method's name.
    case anybody
    /// `sluice admin` and its like in `sluice ctl` and `sluice shell`, or a line that begins with no method's name.
    case other
  }

  /// Whether clients can follow the method's subject by notifications of its name.
  package var isFollowed: Bool { parameters.contains(JournalParameters.Name.follow.rawValue) }

  fileprivate init(
    _ text: String, _ caller: Caller = .anybody, _ parameters: [String] = [],
    _ answer: @escaping (DeviceMethods, ControlJob) throws(ControlError) -> Void
  ) {
    self.text = text
    self.caller = caller
    self.parameters = parameters
    self.answer = answer
  }

  /// The row of a method that takes no parameters and is answered at once.
  fileprivate static func immediate(
    _ text: String, _ caller: Caller = .anybody,
    _ write: @escaping (DeviceView, inout JSONWriter) -> Void
  ) -> Self {
    Self(text, caller) { (methods, job) throws(ControlError) in
      try job.request.checkNoParameters()
      job.answer { id in ControlAnswer.result(id) { write(methods.view, &$0) } }
    }
  }
}

extension ControlMethod {
  /// The row of the method, which clients and documents are held against.
  package var row: ControlMethodRow {
    switch self {
    case .step:
      ControlMethodRow("carry out a step", .other) { (methods, job) throws(ControlError) in
        try methods.steps.take(job)
      }
    case .status:
      .immediate("the device, its clock, and who runs") { $0.writeStatus(to: &$1) }
    case .apps:
      .immediate("the apps, whether they run, and for whom they act") { $0.writeApps(to: &$1) }
    case .accounts:
      .immediate("the accounts of the scenario") { $0.writeAccounts(to: &$1) }
    case .policies:
      .immediate("the policies of the scenario") { $0.writePolicies(to: &$1) }
    case .output:
      .immediate("what guests wrote last") { $0.writeOutput(to: &$1) }
    case .journal:
      ControlMethodRow(
        "the journal's last events: limit=N position=N follow=true", .anybody,
        JournalParameters.Name.allCases.map(\.rawValue)
      ) { (methods, job) throws(ControlError) in try methods.journal.answer(job) }
    case .methods:
      .immediate("the names of all that can be asked for") { Self.write(to: &$1) }
    case .tokenKeys:
      .immediate("the keys that tokens are checked with") { $0.writeTokenKeys(to: &$1) }
    case .apply:
      ControlMethodRow(
        "apply declarations in place of all there were", .other,
        ApplyParameters.Name.allCases.map(\.rawValue)
      ) { (methods, job) throws(ControlError) in try methods.administration.take(job) }
    case .report:
      .immediate("the status of the declarations", .other) { $0.writeReport(to: &$1) }
    case .events:
      ControlMethodRow(
        "the administrator's event log", .other,
        JournalParameters.Name.allCases.map(\.rawValue)
      ) { (methods, job) throws(ControlError) in
        try methods.journal.answer(job, of: .administratorInformed)
      }
    case .down:
      ControlMethodRow("take the device down") { (methods, job) throws(ControlError) in
        try job.request.checkNoParameters()
        methods.shutdown.begin(for: job)
      }
    }
  }

  private static func write(to writer: inout JSONWriter) {
    writer.array("methods") { writer in
      for method in allCases { writer.string(method.rawValue) }
    }
    writer.array("steps") { writer in
      for word in StepReader.words { writer.string(word) }
    }
  }
}
