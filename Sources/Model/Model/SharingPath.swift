/// Which code carries a transfer: the SDK, which filters the app's own sharing UI, or the system, which
/// knows nothing of policies, so that the SDK can only encrypt what leaves.
public enum SharingPath: String, Sendable, CaseIterable {
  case sdk
  case os
}
