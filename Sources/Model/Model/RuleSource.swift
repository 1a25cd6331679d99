/// The public document that a rule comes from, or that there is none.
public enum RuleSource: Sendable, Hashable, CustomStringConvertible {
  /// Public facts leave the rule open, and it takes the answer by which less data moves: a section of
  /// docs/ASSUMPTIONS.md.
  case assumed(String)
  /// Microsoft Learn, App protection policies overview.
  case overview
  /// The SDK's guide, stage 5, Identity overview.
  case identities
  /// A setting of Microsoft Learn's page about iOS app protection policies, as it is called there.
  case setting(String)
  /// A call in the SDK's `IntuneMAMPolicy.h`.
  case header(String)
  /// A version in the SDK's release notes.
  case release(String)
  /// An issue of the SDK's repository.
  case issue(Int)
  /// Any other document, and its section.
  case document(String)
  /// No document: the behaviour of a simulated device itself.
  case device

  public var description: String {
    switch self {
    case .assumed(let section): "assumed; docs/ASSUMPTIONS.md, \(section)"
    case .overview: "Microsoft Learn, App protection policies overview"
    case .identities: "Intune App SDK for iOS, stage 5, Identity overview"
    case .setting(let name): "Microsoft Learn, iOS app protection policy settings, \(name)"
    case .header(let call): "Intune App SDK for iOS, IntuneMAMPolicy.h, \(call)"
    case .release(let version): "Intune App SDK for iOS, release notes, \(version)"
    case .issue(let number): "ms-intune-app-sdk-ios, issue \(number)"
    case .document(let name): name
    case .device: "the device itself"
    }
  }
}
