internal import Enrollment
internal import Policy
internal import Transfer

extension Device {
  /// Which policies apply to whom in an app, and why the others do not; nil where there is no such app.
  package func deviceState(of name: String) -> DeviceStateView? {
    guard let guest = guests[name] else { return nil }
    let strangers = guest.accounts.map(\.account).filter { account in
      !directory.contains { $0.isSame(as: account) }
    }
    return DeviceStateView(
      app: name, bundleID: guest.app.bundleID, remarks: remarks(on: guest),
      accounts: (directory + strangers).map { view(of: $0, in: guest) })
  }

  private func remarks(on guest: Guest) -> [String] {
    let app = guest.app
    var remarks = [
      app.integratesSDK
        ? "the app integrates the Intune App SDK"
        : "the app does not integrate the Intune App SDK, so that no policy applies in it"
    ]
    guard configuration.state.isMDMEnrolled else {
      remarks.append(
        "the device is not enrolled in MDM: policies for unmanaged devices apply, "
          + "and `IntuneMAMUPN` changes nothing")
      return remarks
    }
    let key = app.configuration["IntuneMAMUPN"]
    remarks.append(
      key == nil
        ? "the device is enrolled in MDM, but the app's configuration has no `IntuneMAMUPN`: to "
          + "policies it counts as unmanaged"
        : "the device is enrolled in MDM, and the app's configuration has `IntuneMAMUPN`: to "
          + "policies it is managed for that account, and unmanaged for any other")
    for other in app.configuration.keys.sorted()
    where other != "IntuneMAMUPN" && other.filter({ !$0.isWhitespace }) == "IntuneMAMUPN" {
      remarks.append(
        "the app's configuration has `\(other)`, which is another key than `IntuneMAMUPN`")
    }
    return remarks
  }

  private func view(of account: Account, in guest: Guest) -> DeviceStateView.AccountView {
    let state = ManagementState(
      isMDMEnrolled: configuration.state.isMDMEnrolled,
      hasEnrolledUPN: guest.app.namesEnrolledUser(account))
    let isManaged = policy(of: account, in: guest) != nil
    return DeviceStateView.AccountView(
      account: account.upn, isManaged: isManaged,
      standing: standing(of: account, in: guest), managementState: state.rawValue,
      policies: policies.judgements(
        on: account, bundleID: protectedBundle(of: guest.app), state: state))
  }

  private func standing(of account: Account, in guest: Guest) -> String {
    let isTargeted = revision(for: account, in: guest) != nil
    guard guest.accounts.contains(where: { $0.account.isSame(as: account) }) else {
      return isTargeted
        ? "not signed in; once it is enrolled, what is targeted applies" : "not signed in"
    }
    guard let registration = knownRegistration(of: account, in: guest) else {
      return isTargeted ? "enrolled" : "signed in, and nothing is targeted at it"
    }
    if registration.machine.appliesPolicy { return "enrolled" }
    let last = registration.lastStatus.map { ", last status \($0.rawValue) \($0.name)" } ?? ""
    // ms-intune-app-sdk-ios, issue 672: the SDK is there, a policy is targeted, and it does not apply.
    let half =
      isTargeted
      ? "signed in, but not enrolled: what is targeted does not apply, and encrypted items from managed apps cannot "
        + "be read" : "signed in, and nothing is targeted at it"
    return half + last
  }
}

extension PolicyBook {
  /// Every policy that is assigned to the account, and whether it is targeted at the app in that state.
  func judgements(
    on account: Account, bundleID: String, state: ManagementState
  ) -> [DeviceStateView.PolicyView] {
    assignments.filter { !$0.isWithdrawn && $0.account.isSame(as: account) }.map { assignment in
      let document = assignment.document
      guard let apps = assignment.apps else {
        let result = document.targets(bundleID: bundleID, state: state)
        return DeviceStateView.PolicyView(
          name: document.displayName, file: document.file, isTargeted: result.isTargeted,
          why: result.text)
      }
      let isNamed = apps.contains { $0.lowercased() == bundleID.lowercased() }
      return DeviceStateView.PolicyView(
        name: document.displayName, file: document.file, isTargeted: isNamed,
        why: isNamed ? "targeted by the scenario" : "targeted by the scenario at other apps")
    }
  }
}
