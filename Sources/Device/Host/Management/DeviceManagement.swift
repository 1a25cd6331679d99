internal import Declarations
internal import Model
internal import Policy
internal import Secrets

/// An administrator's declarations for a device, and their results.
struct DeviceManagement {
  /// The declarations; nil: nobody has declared anything since the device came up.
  var declarations: DeclarationSet?
  var delivery = ManagedDelivery()
  /// The apps' reports on their configurations, by bundle id.
  var feedback: [String: StatusReport.ConfigurationState] = [:]
  /// The latest events, at most ``maximumEvents``; the journal has all.
  private(set) var events: [AdministratorEvent] = []
  /// The changes that each guest was told of and has not asked for since, by the guest's name.
  private var notified: [String: Notified] = [:]
  /// Names of the guests that MDM installed before any declaration.
  var installedByMDM: Set<String> = []
  /// The device's restrictions before any declared profile; nil: nothing was declared yet.
  var stateWithoutProfiles: DeviceRestrictions?
  /// Keys and certificates of the identities that were asked for, by their place.
  var identities: [String: CertifiedKey] = [:]
  /// The place of each identity that was asked for, by its recipient and identifier.
  var places: [IdentityName: IdentityPlace] = [:]
  /// Errors of the identities that cannot be used, by their place.
  var unusable: [String: SecretError] = [:]
  var authority: CertificateAuthority?

  static let maximumEvents = 1000

  private struct Notified {
    var incarnation: Int
    var aspects: Set<ManagedAspect>
  }

  mutating func append(_ event: AdministratorEvent) {
    events.append(event)
    if events.count > Self.maximumEvents { events.removeFirst(events.count - Self.maximumEvents) }
  }

  /// Notes that a guest is told of a change.
  ///
  /// - Returns: false where the guest's process was told before and has not asked since.
  mutating func markNotified(
    _ guest: String, _ incarnation: Int, of aspect: ManagedAspect
  ) -> Bool {
    if notified[guest]?.incarnation != incarnation {
      notified[guest] = Notified(incarnation: incarnation, aspects: [])
    }
    return notified[guest]?.aspects.insert(aspect).inserted ?? false
  }

  mutating func hasAsked(_ guest: String, for aspect: ManagedAspect) {
    notified[guest]?.aspects.remove(aspect)
  }
}
