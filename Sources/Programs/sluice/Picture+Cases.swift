internal import Picture
internal import Scenario

extension Picture {
  /// Adds a case with what its guests wrote.
  mutating func add(_ recording: CaseRecording, named name: String, of file: String?) {
    let output = recording.output.flatMap { output in
      output.lines.map { Recording.Line(guest: output.guest, text: $0) }
    }
    let place = file.map { "\($0): " } ?? ""
    add(Recording(recording.events, name: place + name, file: file, output: output))
  }
}
