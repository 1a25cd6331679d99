internal import JSON
internal import Model
internal import Policy

/// The policies that apply to each account in one app, and why the others do not.
package struct DeviceStateView: Sendable {
  /// The app's name on the device.
  package var app: String
  package var bundleID: String
  /// Sentences, one each on what decides for every account: the SDK, MDM, `IntuneMAMUPN`.
  package var remarks: [String]
  package var accounts: [AccountView]

  /// The state of one account in the app.
  package struct AccountView: Sendable {
    package var account: String
    /// Whether a policy protects the account in the app now.
    package var isManaged: Bool
    /// The account's progress with sign-in and enrollment, in a clause.
    package var standing: String
    /// `unenrolled`, `enrolledWithoutUPN` or `enrolled`: the state in which policies see device and app.
    package var managementState: String
    /// The policies that are assigned to the account, in their order.
    package var policies: [PolicyView]
    /// All conditional access policies, in their order.
    package var conditionalAccess: [AccessPolicyView]
  }

  /// A policy that is assigned to the account.
  package struct PolicyView: Sendable {
    package var name: String
    package var file: String
    package var isTargeted: Bool
    /// The reason in one clause, such as `targeted by bundle id`.
    package var why: String
  }
}

extension DeviceStateView {
  /// A conditional access policy, by its effect on the account.
  package struct AccessPolicyView: Sendable {
    package var name: String
    package var file: String
    /// `enabled`, `disabled` or `enabledForReportingButNotEnforced`.
    package var state: String
    /// Whether the policy is for the account; nil where only the directory knows.
    package var applies: Bool?
    /// The reason in one clause on a sign-in of the account, such as `does not apply: its filter spares the device`.
    package var why: String
    /// The resources that the policy is for, as it names them.
    package var resources: [String]
    /// The actions of users that the policy is for.
    package var userActions: [String]

    /// The remark on a report-only policy, with a leading space; empty for any other policy.
    fileprivate var remark: String {
      state == "enabledForReportingButNotEnforced" ? " (report-only)" : ""
    }
  }

  /// The view as text: the app, then each account with its policies.
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

  /// The view as one JSON object, followed by a line break.
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
            if let applies = policy.applies {
              writer.member("applies", applies)
            } else {
              writer.member(named: "applies") { $0.null() }
            }
            writer.member("why", policy.why)
            writer.strings("resources", policy.resources)
            writer.strings("userActions", policy.userActions)
          }
        }
      }
    }
  }
}
