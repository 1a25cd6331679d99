internal import Host
internal import Model
package import Scenario

extension CaseRecording {
  /// What the journals of several devices tell of a case, which each has in its folder.
  ///
  /// - Parameter folder: the folder of the case.
  /// - Throws: ``RunError`` where a journal cannot be read.
  package init(
    of test: Case, of prepared: PreparedScenario, in folder: String, duration: Duration
  ) throws(RunError) {
    self.init(
      events: [], duration: duration, unordered: prepared.unorderedSteps(of: test))
    for device in prepared.deviceNames {
      add(
        try JournalFile.read(DeviceFolder.journal(in: "\(folder)/\(device)")), of: device,
        output: [],
        returned: [:])
    }
  }
}
