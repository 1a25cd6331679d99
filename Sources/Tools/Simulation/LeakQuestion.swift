package import Leaks

/// What is asked of a world: what apps do, who signs in, on which devices, and what must stay possible.
package struct LeakQuestion {
  package var behaviour: LeakSearch.Behaviour
  package var signIns: SignInChoice
  package var device: DeviceChoice
  /// The flows that what closes leaks must not close.
  package var kept: [LeakSearch.Flow]
  /// The target apps; nil: all leaks are searched.
  package var query: LeakQuery?

  /// A question about a world.
  package init(
    _ behaviour: LeakSearch.Behaviour, _ signIns: SignInChoice, _ device: DeviceChoice,
    keeping kept: [LeakSearch.Flow] = [], asking query: LeakQuery? = nil
  ) {
    self.query = query
    self.behaviour = behaviour
    self.signIns = signIns
    self.device = device
    self.kept = kept
  }
}

/// The accounts that a search has sign in to apps.
package enum SignInChoice: String, Sendable, CaseIterable {
  /// Every one that the apps' configurations, and the policies, let in.
  case any
  /// Those of the scenario, where it has them.
  case stated
}

/// The states of the device in which a search looks for leaks.
package enum DeviceChoice: String, Sendable, CaseIterable {
  /// That of the scenario, and every one that differs in enrollment, network, or the SDK of its apps.
  case any
  /// That of the scenario.
  case stated
}
