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
  /// As ``enrolled``, and the MDM profile forbids opening documents of MDM-managed apps elsewhere.
  case restricted
  /// As ``restricted``, but the receiving app was installed by MDM, too.
  case restrictedToMDMApp

  /// Creates the condition of a device in a management state, without further restrictions.
  public init(_ state: ManagementState) {
    self =
      switch state {
      case .unenrolled: .unenrolled
      case .enrolledWithoutUPN: .enrolledWithoutUPN
      case .enrolled: .enrolled
      }
  }

  /// The management state, by which policies are targeted.
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
