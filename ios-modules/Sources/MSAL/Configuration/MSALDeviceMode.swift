/// Whether the device is shared by several users.
public enum MSALDeviceMode: UInt, Sendable {
  case `default`
  case shared
}
