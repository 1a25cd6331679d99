/// The device type that a user interface is designed for.
public enum UIUserInterfaceIdiom: Int, Sendable {
  case unspecified = -1
  case phone
  case pad
  case tv
  case carPlay
  case mac = 5
  case vision
}
