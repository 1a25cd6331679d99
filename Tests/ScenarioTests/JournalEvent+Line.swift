import JSON
import Model

extension JournalEvent {
  /// The event as its line in a journal, without line break.
  var line: String {
    var writer = JSONWriter()
    write(to: &writer)
    return writer.text
  }
}
