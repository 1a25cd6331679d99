/// That a file is about to go from one place to another: written down before it moves, so that a device that
/// dies in between can tell whose the file is.
struct FileMove: Hashable, Sendable {
  var from: FilePlace
  var to: FilePlace
}
