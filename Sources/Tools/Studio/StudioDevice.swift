internal import Analysis
package import Encodings
internal import GraphDocuments
internal import Model

/// A running device on which answers of the workbench are checked: its apps carry out the flows.
package struct StudioDevice: Sendable {
  let name: String
  /// The folder with the drafts that the device reads. Other users cannot read it.
  package let folder: String
  private let call: @Sendable (_ method: String, _ parameters: String?) -> JSONValue?

  /// Creates a device from a connection to it.
  ///
  /// - Parameter call: Calls a method of the device's control socket, with parameters as JSON. It blocks until the
  ///   device answers, and returns the answer with `result` or `error`; nil if no device answers.
  package init(
    name: String, folder: String,
    calling call: @escaping @Sendable (_ method: String, _ parameters: String?) -> JSONValue?
  ) {
    self.name = name
    self.folder = folder
    self.call = call
  }

  /// Calls a method of the device, and returns its result.
  ///
  /// - Throws: ``StudioSession/Refusal`` if the device is gone or refuses the request.
  private func result(
    of method: String, _ parameters: String? = nil
  ) throws(StudioSession.Refusal) -> JSONValue {
    guard let answer = call(method, parameters) else {
      throw StudioSession.Refusal(
        message:
          "the device \(name) does not answer; try again if it is busy, or start it again with `sluice up`"
      )
    }
    guard let result = answer["result"] else {
      let message = answer["error"]?["message"]?.string ?? "it gave no reason"
      throw StudioSession.Refusal(message: "the device \(name) refused: \(message)")
    }
    return result
  }

  /// Carries out a step on the device, and returns the device's result.
  ///
  /// - Parameter step: A line of YAML.
  /// - Throws: ``StudioSession/Refusal`` if the device is gone, or the step is invalid or was not carried out.
  @discardableResult
  func carryOut(_ step: String) throws(StudioSession.Refusal) -> JSONValue {
    let result = try result(of: "step", "[\(JSONWriter.quoted(step))]")
    let failures = result["failures"]?.array?.compactMap(\.string) ?? []
    guard failures.isEmpty, result["times"]?.int != 0 else {
      throw StudioSession.Refusal(
        message: "the device did not carry out `\(step)`: "
          + (failures.first ?? "it is going down"))
    }
    return result
  }

  /// Returns the present apps, accounts and policies of the device.
  ///
  /// - Throws: ``StudioSession/Refusal`` if the device is gone or refuses the request.
  func facts() throws(StudioSession.Refusal) -> DeviceFacts {
    DeviceFacts(
      apps: try result(of: "apps"), accounts: try result(of: "accounts"),
      policies: try result(of: "policies"))
  }
}

/// The apps, accounts and policies of a running device, as it reports them now.
struct DeviceFacts: Sendable {
  /// An app. Extensions are left out.
  struct App: Sendable {
    var name: String
    var bundleID: String
    var state: RunState
    /// The name of the account that the app acts for; `unset` for none.
    var identity: String
    var integratesSDK: Bool
    var webViews: WebViewPolicy?
    /// Whether the app may offer an item to importing apps.
    var provides: Bool
    var accounts: [SignedIn]
    var schemes: Set<String>
    var domains: Set<String>

    var protectedAccounts: [SignedIn] { accounts.filter(\.isProtected) }
  }

  enum RunState: String, Sendable {
    case running, suspended, stopped
  }

  /// An account that is signed in to an app.
  struct SignedIn: Sendable, Equatable {
    var name: String
    /// Whether a policy protects the account in the app.
    var isProtected: Bool
    var state: ManagementState
    /// The names of the policies that target the account in the app.
    var policies: [String]
  }

  struct Policy: Sendable {
    var name: String
    /// The path of the policy's file as in the scenario; nil if the scenario itself contains the policy.
    var file: String?
    /// The file with the settings that a step has saved for the policy; nil if the policy has the scenario's settings.
    var saved: String?
  }

  var apps: [App]
  /// The accounts of the scenario, keyed by name.
  var accounts: [String: Account]
  /// The policies that steps can name; empty if an export assigns the device's policies.
  var policies: [Policy]
  /// Whether an export assigns the device's policies.
  var isTenant: Bool

  /// Returns whether the policy protects an account in at least one app.
  func isProtecting(_ policy: String) -> Bool {
    apps.contains { app in app.protectedAccounts.contains { $0.policies.contains(policy) } }
  }

  /// Reads the device's answers to its methods `apps`, `accounts` and `policies`.
  init(apps: JSONValue, accounts: JSONValue, policies: JSONValue) {
    self.apps = (apps["apps"]?.array ?? []).filter { $0["extension"] == nil }
      .compactMap(App.init)
    self.accounts = Dictionary(
      (accounts["accounts"]?.array ?? []).compactMap { account in
        guard let name = account["name"]?.string, let upn = account["upn"]?.string else {
          return nil
        }
        return (
          name,
          Account(
            upn: upn, objectID: account["objectId"]?.string, tenantID: account["tenant"]?.string)
        )
      }, uniquingKeysWith: { first, _ in first })
    isTenant = policies["tenant"] != nil
    self.policies =
      isTenant
      ? []
      : (policies["policies"]?.array ?? []).compactMap { policy in
        policy["name"]?.string.map {
          Policy(name: $0, file: policy["file"]?.string, saved: policy["saved"]?.string)
        }
      }
  }
}

extension DeviceFacts.App {
  /// Reads an app; nil if this version does not support the answer's form.
  fileprivate init?(_ answer: JSONValue) {
    guard let name = answer["name"]?.string, let bundleID = answer["bundle"]?.string,
      let state = answer["state"]?.string.flatMap(DeviceFacts.RunState.init(rawValue:))
    else { return nil }
    let texts = { (name: String) in Set((answer[name]?.array ?? []).compactMap(\.string)) }
    self.init(
      name: name, bundleID: bundleID, state: state, identity: answer["identity"]?.string ?? "unset",
      integratesSDK: answer["sdk"]?.bool == true,
      webViews: answer["webViews"]?.string.flatMap(WebViewPolicy.init(rawValue:)),
      provides: answer["provides"]?.bool == true,
      accounts: (answer["accounts"]?.array ?? []).compactMap { account in
        guard let name = account["name"]?.string,
          let state = account["managementState"]?.string.flatMap(ManagementState.init(rawValue:))
        else { return nil }
        return DeviceFacts.SignedIn(
          name: name, isProtected: account["managed"]?.bool == true, state: state,
          policies: (account["policies"]?.array ?? []).compactMap(\.string))
      }, schemes: texts("schemes"), domains: texts("associatedDomains"))
  }
}
