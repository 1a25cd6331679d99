/// The code that carries a transfer: the SDK, which filters the app's own sharing UI, or the system, which
/// knows nothing of policies, so that the SDK can only encrypt the data that leaves.
public enum SharingPath: String, Sendable, CaseIterable {
  case sdk
  case os
}
