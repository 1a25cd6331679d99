/// The requests of clients, each handled by the row of its method: answered at once, except steps, which wait for their
/// turn.
final class DeviceMethods {
  let view: DeviceView
  let journal: JournalDesk
  let steps: ClientSteps
  let administration: Administration
  let shutdown: Shutdown

  init(
    _ view: DeviceView, _ journal: JournalDesk, _ steps: ClientSteps,
    _ administration: Administration, _ shutdown: Shutdown
  ) {
    self.view = view
    self.journal = journal
    self.steps = steps
    self.administration = administration
    self.shutdown = shutdown
  }

  func take(_ job: ControlJob) {
    do throws(ControlError) {
      // A name that is no method's is the word of a step, or unknown.
      guard let method = ControlMethod(rawValue: job.request.method) else {
        return try steps.take(job)
      }
      try method.row.answer(self, job)
    } catch {
      job.refuse(error)
    }
  }
}
