extension MSALPublicClientApplication {
  /// Returns a broker's information about the device. It is always empty, because there is no
  /// broker.
  @preconcurrency
  public func getDeviceInformation(
    with parameters: MSALParameters?,
    completionBlock: @escaping @Sendable (MSALDeviceInformation?, (any Error)?) -> Void
  ) {
    Delivery.local(parameters?.completionBlockQueue)("getDeviceInformation") {
      completionBlock(MSALDeviceInformation(), nil)
    }
  }

  public func deviceInformation(
    with parameters: MSALParameters?
  ) async throws -> MSALDeviceInformation {
    MSALDeviceInformation()
  }
}
