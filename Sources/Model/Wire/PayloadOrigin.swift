/// The process that can write to the memory of a payload.
public enum PayloadOrigin: Sendable {
  /// The device alone: the bytes stay what they are.
  case host
  /// The guest that sends the payload, too: the bytes may be others each time that they are read.
  case guest
}
