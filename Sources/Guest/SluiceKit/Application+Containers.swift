/// The containers of an app and its extensions. Its own container is a process's working directory.
extension Application {
  /// The path of the container that an app group shares
  /// (`FileManager.containerURL(forSecurityApplicationGroupIdentifier:)`).
  ///
  /// - Parameter group: one of the `com.apple.security.application-groups` in the entitlements; the
  ///   containers of other groups are out of reach.
  public static func containerPath(forSecurityApplicationGroupIdentifier group: String) -> String {
    "../../Groups/\(group)"
  }
}
