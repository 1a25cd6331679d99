public import GraphDocuments
internal import Policy

/// The device of a representative flow.
public enum DeviceCondition: String, Sendable, CaseIterable {
  /// Not enrolled in MDM.
  case unenrolled
  /// Enrolled; the app's configuration lacks `IntuneMAMUPN`.
  case enrolledWithoutUPN
  /// Enrolled, and the app's configuration names the account.
  case enrolled
  /// The same, and the MDM profile forbids opening documents of MDM-managed apps elsewhere.
  case restricted
  /// The same, to an app that MDM installed, too.
  case restrictedToMDMApp

  public init(_ state: ManagementState) {
    self =
      switch state {
      case .unenrolled: .unenrolled
      case .enrolledWithoutUPN: .enrolledWithoutUPN
      case .enrolled: .enrolled
      }
  }

  /// What policies are targeted by.
  public var state: ManagementState {
    switch self {
    case .unenrolled: .unenrolled
    case .enrolledWithoutUPN: .enrolledWithoutUPN
    case .enrolled, .restricted, .restrictedToMDMApp: .enrolled
    }
  }

  var device: DeviceRestrictions {
    DeviceRestrictions(
      isMDMEnrolled: self != .unenrolled,
      allowOpenFromManagedToUnmanaged: self != .restricted && self != .restrictedToMDMApp)
  }
}
