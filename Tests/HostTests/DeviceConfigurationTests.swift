import Testing

@testable import Host

@Suite struct DeviceConfigurationTests {
  @Test(arguments: [(1 << 20, (1 << 20) - (1 << 16)), (1 << 16, 1 << 15), (100, 50)])
  func `guests may send frames however small the limit is`(frame: Int, guestFrame: Int) {
    var limits = DeviceConfiguration.Limits()
    limits.frame = frame
    #expect(limits.guestFrame == guestFrame)
  }
}
