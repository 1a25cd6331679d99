extension MSALPublicClientApplication {
  /// Tells what a broker would know of the device: nothing, as there is none.
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
