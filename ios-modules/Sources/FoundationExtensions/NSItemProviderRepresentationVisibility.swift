/// The visibility of a representation. It has no effect, because the device decides on access.
public enum NSItemProviderRepresentationVisibility: Int, Sendable {
  case all
  case team
  case group
  case ownProcess
}
