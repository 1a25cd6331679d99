/// The requests of clients, each handled by the row of its method: answered at once, except steps, which wait for their
/// turn.
struct DeviceMethods {
  let view: DeviceView
  let journal: JournalResponder
  let steps: ClientSteps
  let administration: Administration
  let shutdown: Shutdown

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
