internal import JSON
internal import Policy
internal import Model

/// Which policies apply to whom in one app, and why the others do not.
package struct DeviceStateView: Sendable {
  /// The app's name on the device.
  package var app: String
  package var bundleID: String
  /// One sentence each on what decides for every account: the SDK, MDM, `IntuneMAMUPN`.
  package var remarks: [String]
  package var accounts: [AccountView]

  package struct AccountView: Sendable {
    package var account: String
    /// Whether a policy protects the account in the app now.
    package var isManaged: Bool
    /// How far it has come, in a clause.
    package var standing: String
    /// `unenrolled`, `enrolledWithoutUPN` or `enrolled`: as what policies see device and app.
    package var managementState: String
    /// Every policy that is assigned to the account, in their order.
    package var policies: [PolicyView]
    /// Every conditional access policy, in their order.
    package var conditionalAccess: [AccessPolicyView]
  }

  package struct PolicyView: Sendable {
    package var name: String
    package var file: String
    package var isTargeted: Bool
    /// One clause: `targeted by bundle id`.
    package var why: String
  }
}

extension DeviceStateView {
  package struct AccessPolicyView: Sendable {
    package var name: String
    package var file: String
    /// `enabled`, `disabled` or `enabledForReportingButNotEnforced`.
    package var state: String
    package var applies: Bool
    /// One clause on a sign-in of the account: `does not apply: its filter spares the device`.
    package var why: String

    /// The state in a word; enabled policies need none.
    fileprivate var remark: String {
      state == "enabledForReportingButNotEnforced" ? " (report-only)" : ""
    }
  }

  package var text: String {
    var lines = ["\(app) (\(bundleID))"] + remarks.map { "  \($0)" }
    for account in accounts {
      lines.append(
        "\(account.account): \(account.isManaged ? "managed" : "not managed"), \(account.standing)")
      if account.policies.isEmpty { lines.append("  no policy is assigned to it") }
      for policy in account.policies {
        let verdict = policy.isTargeted ? "targeted" : "not targeted"
        lines.append("  \(verdict): `\(policy.name)` (\(policy.file)): \(policy.why)")
      }
      for policy in account.conditionalAccess {
        lines.append(
          "  conditional access: `\(policy.name)` (\(policy.file)): \(policy.why)\(policy.remark)")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("app", app)
      writer.member("bundle", bundleID)
      writer.array("remarks") { for remark in remarks { $0.string(remark) } }
      writer.array("accounts") { writer in
        for account in accounts { account.write(to: &writer) }
      }
    }
    return writer.text + "\n"
  }
}

extension DeviceStateView.AccountView {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("account", account)
      writer.member("managed", isManaged)
      writer.member("standing", standing)
      writer.member("managementState", managementState)
      writer.array("policies") { writer in
        for policy in policies {
          writer.object { writer in
            writer.member("name", policy.name)
            writer.member("file", policy.file)
            writer.member("targeted", policy.isTargeted)
            writer.member("why", policy.why)
          }
        }
      }
      writer.array("conditionalAccess") { writer in
        for policy in conditionalAccess {
          writer.object { writer in
            writer.member("name", policy.name)
            writer.member("file", policy.file)
            writer.member("state", policy.state)
            writer.member("applies", policy.applies)
            writer.member("why", policy.why)
          }
        }
      }
    }
  }
}
