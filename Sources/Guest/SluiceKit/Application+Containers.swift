/// Where an app and its extensions keep their files. Its own container is a process's working directory.
extension Application {
  /// Path of the container that an app group shares
  /// (`FileManager.containerURL(forSecurityApplicationGroupIdentifier:)`).
  ///
  /// - Parameter group: one of the `com.apple.security.application-groups` in the entitlements; the
  ///   containers of others are out of reach.
  public static func containerPath(forSecurityApplicationGroupIdentifier group: String) -> String {
    "../../Groups/\(group)"
  }
}
