internal import JSON
internal import Scenario
internal import Model

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
    /// `sluice ctl` and `sluice shell`, for a line that begins with no method's name.
    case steps
    /// `sluice admin`, and `admin` of `sluice ctl` and `sluice shell`.
    case administrator
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
  fileprivate static func told(
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
      ControlMethodRow("carry out a step", .steps) { (methods, job) throws(ControlError) in
        try methods.steps.take(job)
      }
    case .status:
      .told("the device, its clock, and who runs") { $0.writeStatus(to: &$1) }
    case .apps:
      .told("the apps, whether they run, and for whom they act") { $0.writeApps(to: &$1) }
    case .accounts:
      .told("the accounts of the scenario") { $0.writeAccounts(to: &$1) }
    case .journal:
      ControlMethodRow(
        "the journal's last events: limit=N position=N follow=true", .anybody,
        JournalParameters.Name.allCases.map(\.rawValue)
      ) { (methods, job) throws(ControlError) in try methods.journal.tell(job) }
    case .methods:
      .told("the names of all that can be asked for") { Self.write(to: &$1) }
    case .tokenKeys:
      .told("the keys that tokens are checked with") { $0.writeTokenKeys(to: &$1) }
    case .apply:
      ControlMethodRow(
        "apply declarations in place of all there were", .administrator,
        ApplyParameters.Name.allCases.map(\.rawValue)
      ) { (methods, job) throws(ControlError) in try methods.administration.take(job) }
    case .report:
      .told("how declarations fare", .administrator) { $0.writeReport(to: &$1) }
    case .events:
      ControlMethodRow(
        "the administrator's event log", .administrator,
        JournalParameters.Name.allCases.map(\.rawValue)
      ) { (methods, job) throws(ControlError) in
        try methods.journal.tell(job, of: .administratorInformed)
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
