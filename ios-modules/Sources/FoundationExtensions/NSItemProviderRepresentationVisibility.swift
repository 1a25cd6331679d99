/// The visibility of a representation. Has no effect: the device decides access.
public enum NSItemProviderRepresentationVisibility: Int, Sendable {
  case all
  case team
  case group
  case ownProcess
}
