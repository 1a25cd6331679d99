/// What the server has for those who know its address.
struct Site: Sendable {
  let page: String
  /// The device, which carries out steps; nil where nobody may have it do so.
  let desk: DeviceDesk?
  let secret = Secret()
}
