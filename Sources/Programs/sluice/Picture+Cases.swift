internal import Model
internal import Picture
internal import Scenario

extension Picture {
  /// Adds a case with what its guests wrote; of several devices each has a journal of its own.
  mutating func add(_ recording: CaseRecording, named name: String, of file: String?) {
    let place = file.map { "\($0): " } ?? ""
    guard let parts = recording.byDevice else {
      return add(
        RecordedJournal(
          recording.events, name: place + name, file: file, output: recording.output))
    }
    let journals = parts.map { device, events in
      let output = recording.output.filter { $0.guest.hasPrefix("\(device)/") }
        .map { $0.named(String($0.guest.dropFirst(device.count + 1))) }
      return RecordedJournal(
        Array(events), name: "\(place)\(name), \(device)", file: file, output: output)
    }
    add(RecordedGroup(journals))
  }
}
