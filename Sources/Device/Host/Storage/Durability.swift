/// What a device must keep is kept, or the device stops: nobody is told what is not on the disk, so that nobody believes
/// it, and the next run goes on from what is there.
final class Durability {
  /// Why the device has stopped; nil where it has not.
  private(set) var fault: HostError?
  /// Called once, for the first fault.
  var onFault: () -> Void = {}

  /// Stops everything at once, unless it is stopped already.
  func fail(_ error: HostError) {
    guard fault == nil else { return }
    fault = error
    onFault()
  }

  /// Has `body` write what is to be kept; an error is the device's end. After that nothing is written any more.
  func persist(_ body: () throws(HostError) -> Void) {
    guard fault == nil else { return }
    do throws(HostError) {
      try body()
    } catch {
      fail(error)
    }
  }
}
