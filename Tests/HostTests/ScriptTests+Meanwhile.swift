import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

/// What happens between a question and its answer counts: an account leaves, its policy changes, the app ends.
extension RealProcesses.ScriptTests {
  /// A managed app that does something when a URL comes, and signs its account out when `mail:out` does.
  private func installSender(doing what: String, in lab: Lab) throws {
    let path = try workspace.write(
      """
      app.opened(function(opened)
        if opened == 'mail:out' then accounts.signOut('anna@contoso.com') else \(what) end
      end)
      """, to: "mail.lua")
    try lab.device.install(
      AppDescription(
        name: "mail", bundleID: "com.example.hostile", program: .script(path: path),
        integratesSDK: true, schemes: ["mail"]))
    try lab.device.accounts.presetSignIn(Lab.anna, in: "mail")
    lab.launch(["mail"])
    try lab.app("sender")
  }

  private func setOff(in lab: Lab) {
    lab.device.driver.perform(.openURL(OpenURL("mail:go")), on: "sender") { _ in }
  }

  private func last(_ operation: Model.Operation, in lab: Lab) -> Rule? {
    lab.wait("the decision") { lab.decisions.contains { $0.operation == operation } }
    return lab.decisions.last { $0.operation == operation }?.verdict.deciding
  }

  @Test func `what belonged to an account that has left is not loaded`() throws {
    let lab = try Lab(policy: .managedOnly)
    try install(
      "share.requested(function() url.open('mail:out') share.load('public.utf8-plain-text') share.complete() end)",
      as: "look", kind: .extension(.share, in: "com.example.host"), in: lab)
    try installSender(doing: "app.share { to = 'look', text = 'Figures', via = 'os' }", in: lab)
    setOff(in: lab)
    #expect(last(.loadItem, in: lab) == .ownerNotSignedIn)
    lab.close()
  }

  @Test func `what an unmanaged account is to take is decided when the app has answered`() throws {
    var settings = Settings()
    settings.allowedInboundDataTransferSources = .none
    let lab = try Lab(policy: settings)
    try install(
      """
      accounts.switchTo('anna@contoso.com')
      app.identitySwitchRequired(function()
        files.write('asked', '')
        while not files.read('answer') do device.pause(1) end
        return true
      end)
      """, managed: true, multiIdentity: true, in: lab)
    try lab.app("sender", bundle: "com.example.hostile", managed: true)
    let item = Item(text: "Figures")
    lab.device.driver.perform(.share(Share(destination: "scripted", item: item)), on: "sender") {
      _ in
    }
    let container = lab.device.containerPath(of: "scripted")
    lab.wait("the question") { FileManager.default.fileExists(atPath: container + "/asked") }
    settings.allowedOutboundDataTransferDestinations = .none
    let document = PolicyDocument(displayName: "later", file: "later.json", settings: settings)
    lab.device.enrollment.assign(
      [
        PolicyAssignment(
          document: document, account: Lab.anna,
          apps: ["com.example.managed", "com.example.hostile"])
      ], to: Lab.anna)
    try Data().write(to: URL(fileURLWithPath: container + "/answer"))
    #expect(last(.share, in: lab) == .sendNone)
    lab.close()
  }

  @Test func `an app does not act for an account that has left it before it answered`() throws {
    let lab = try Lab(policy: Settings())
    try install(
      """
      app.identitySwitchRequired(function() accounts.signOut('anna@contoso.com') return true end)
      """, managed: true, multiIdentity: true, in: lab)
    try installSender(doing: "url.open('scripted:x')", in: lab)
    setOff(in: lab)
    lab.wait("the decisions") { lab.decisions.count { $0.operation == .openURL } == 2 }
    #expect(
      lab.events.contains(
        .identitySwitchRequired(
          guest: "scripted", identity: Lab.anna.upn, reason: "openURL", isAccepted: false)))
    lab.close()
  }

  @Test func `an app that ends when it is asked gets the URL once it runs again`() throws {
    let lab = try Lab(policy: Settings())
    try install(
      """
      app.identitySwitchRequired(function() error('no') end)
      app.opened(function(url) files.append('log', url) end)
      """, managed: true, multiIdentity: true, in: lab)
    try installSender(doing: "url.open('scripted:x')", in: lab)
    setOff(in: lab)
    lab.wait("the URL") { file("log", in: lab) == "scripted:x" }
    let opening = lab.decisions.last { $0.operation == .openURL }
    lab.wait("the end") { lab.ends.contains { $0.request == opening?.request } }
    #expect(lab.ends.filter { $0.request == opening?.request }.map(\.end) == [.delivered])
    lab.close()
  }

  @Test func `nobody signs in without a name`() throws {
    let lab = try Lab()
    try install(
      "files.write('report', accounts.signIn('').reasons[1].rule)", in: lab)
    lab.wait("the report") { file("report", in: lab) == "enrollmentNeedsAccount" }
    lab.close()
  }
}
