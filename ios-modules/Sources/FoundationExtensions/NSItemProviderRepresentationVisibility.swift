/// Who may see a representation. Kept, and heeded by nobody: the device decides who may have what.
public enum NSItemProviderRepresentationVisibility: Int, Sendable {
  case all
  case team
  case group
  case ownProcess
}
