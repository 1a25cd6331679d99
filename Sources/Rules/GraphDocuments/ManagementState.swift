/// The management of a device and of an app on it by MDM, as targeting sees it.
///
/// An enrolled device whose app lacks `IntuneMAMUPN` counts as unmanaged: the app cannot know who the
/// enrolled user is, and gets the policy for unmanaged devices. Source: Microsoft Learn, "How to create and
/// assign app protection policies", device management state.
public enum ManagementState: String, Sendable, CaseIterable {
  /// The device is not enrolled in MDM.
  case unenrolled
  /// The device is enrolled; the app's configuration does not name the enrolled user.
  case enrolledWithoutUPN
  /// The device is enrolled, and the app's configuration holds `IntuneMAMUPN`.
  case enrolled

  /// The state of a device and an app.
  public init(isMDMEnrolled: Bool, hasEnrolledUPN: Bool) {
    self =
      switch (isMDMEnrolled, hasEnrolledUPN) {
      case (false, _): .unenrolled
      case (true, false): .enrolledWithoutUPN
      case (true, true): .enrolled
      }
  }

  /// The level that a document must be targeted at to reach this app.
  public var level: Targeting.Level { self == .enrolled ? .mdm : .unmanaged }
}
