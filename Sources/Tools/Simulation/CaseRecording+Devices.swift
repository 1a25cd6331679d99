internal import Model
package import Scenario

extension CaseRecording {
  /// What the journals of several devices tell of a case, which each has in its folder.
  ///
  /// - Parameters:
  ///   - devices: their names, in their order.
  ///   - folder: the folder of the case.
  /// - Throws: ``RunError`` where a journal cannot be read.
  package init(of devices: [String], in folder: String, duration: Duration) throws(RunError) {
    self.init(events: [], duration: duration)
    for device in devices {
      add(
        try JournalFile.read("\(folder)/\(device)/journal.jsonl"), of: device, output: [],
        returned: [:])
    }
  }
}
