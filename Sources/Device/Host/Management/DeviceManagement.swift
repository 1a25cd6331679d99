internal import Declarations
internal import Policy
internal import Secrets
internal import Model

/// What an administrator has declared for a device, and what came of it.
struct DeviceManagement {
  /// nil: nobody has declared anything since the device came up.
  var declarations: DeclarationSet?
  var delivery = ManagedDelivery()
  /// What apps said of their configurations, by bundle id.
  var feedback: [String: StatusReport.ConfigurationState] = [:]
  /// The latest events; the journal has all.
  private(set) var events: [AdministratorEvent] = []
  /// What each guest was told of and has not asked for since.
  private var told: [String: Told] = [:]
  /// Guests that were MDM's before any declaration.
  var installedByMDM: Set<String> = []
  /// What the device was before any profile of a declaration.
  var stateWithoutProfiles: DeviceRestrictions?
  /// Keys and certificates that were asked for, by where they are kept.
  var identities: [String: CertifiedKey] = [:]
  /// Where that is, for each that was asked for, by whom it is for and its identifier.
  var places: [IdentityName: IdentityPlace] = [:]
  /// Why those that cannot be used cannot, likewise.
  var unusable: [String: SecretError] = [:]
  var authority: CertificateAuthority?

  static let maximumEvents = 1000

  private struct Told {
    var incarnation: Int
    var aspects: Set<ManagedAspect>
  }

  mutating func append(_ event: AdministratorEvent) {
    events.append(event)
    if events.count > Self.maximumEvents { events.removeFirst(events.count - Self.maximumEvents) }
  }

  /// Says of a guest that it is told of a change.
  ///
  /// - Returns: false where its process was told before and has not asked since.
  mutating func tell(_ guest: String, _ incarnation: Int, of aspect: ManagedAspect) -> Bool {
    if told[guest]?.incarnation != incarnation {
      told[guest] = Told(incarnation: incarnation, aspects: [])
    }
    return told[guest]?.aspects.insert(aspect).inserted ?? false
  }

  mutating func hasAsked(_ guest: String, for aspect: ManagedAspect) {
    told[guest]?.aspects.remove(aspect)
  }
}
