/// A move of a file from one place to another, written down before it happens, so that a device that dies in between
/// can tell the file's owner.
struct FileMove: Hashable, Sendable {
  var from: FilePlace
  var to: FilePlace
}
