internal import Picture
internal import Scenario

extension Picture {
  /// Adds a case with what its guests wrote.
  mutating func add(_ recording: CaseRecording, named name: String, of file: String?) {
    let place = file.map { "\($0): " } ?? ""
    add(
      RecordedJournal(
        recording.events, name: place + name, file: file, output: recording.output))
  }
}
