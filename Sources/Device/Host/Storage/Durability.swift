/// The durability of a device's data: what must be kept is kept, or the device stops. No guest is told what is not on
/// the disk, so that nobody believes it, and the next run goes on from what is there.
final class Durability {
  /// The reason why the device has stopped; nil where it has not.
  private(set) var fault: HostError?
  /// Called once, for the first fault.
  var onFault: () -> Void = {}

  /// Stops the device for this reason, unless it has stopped already.
  func fail(_ error: HostError) {
    guard fault == nil else { return }
    fault = error
    onFault()
  }

  /// Runs `body`, which writes what must be kept; an error stops the device. After that nothing is written any more.
  func persist(_ body: () throws(HostError) -> Void) {
    guard fault == nil else { return }
    do throws(HostError) {
      try body()
    } catch {
      fail(error)
    }
  }
}
