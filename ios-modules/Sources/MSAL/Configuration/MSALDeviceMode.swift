/// Whether several people use the device.
public enum MSALDeviceMode: UInt, Sendable {
  case `default`
  case shared
}
