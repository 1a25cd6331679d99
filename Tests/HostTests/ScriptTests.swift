import AppConfiguration
import Encodings
import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

extension RealProcesses {
  /// Tests guests whose program is a Lua script.
  @Suite struct ScriptTests {
    let workspace: Workspace

    init() throws { workspace = try Workspace() }

    /// Installs a script, and starts it if it is an app.
    func install(
      _ script: String, as name: String = "scripted", kind: AppDescription.Kind = .app,
      managed: Bool = false, multiIdentity: Bool = false, in lab: Lab
    ) throws {
      let path = try workspace.write(script, to: "\(name).lua")
      var app = AppDescription(
        name: name, bundleID: managed ? "com.example.managed" : "com.example.\(name)",
        kind: kind, program: .script(path: path), integratesSDK: managed,
        isMultiIdentity: multiIdentity, schemes: [name])
      app.appGroups = ["group.com.example"]
      try lab.device.install(app)
      if managed { try lab.device.accounts.presetSignIn(Lab.anna, in: name) }
      if kind == .app { lab.launch([name]) }
    }

    @Test func `a guest that exhausts its timers does not prevent a script from starting`() throws {
      let lab = try Lab()
      try lab.hostile("hoard-timers")
      try install("local ready = true", in: lab)
      #expect(lab.device.guests.isRunning("scripted"))
      #expect(lab.device.guests.isRunning("hostile"))
      lab.close()
    }

    @Test func `a script reads its configuration and is notified of changes`() throws {
      func assignment(_ settings: [String: String]) -> AppConfigurationAssignment {
        let entries = settings.sorted { $0.key < $1.key }.map {
          AppConfigurationDocument.Entry(
            key: $0.key, value: .text($0.value), position: .init(line: 1, column: 1))
        }
        let document = AppConfigurationDocument(
          displayName: "c", file: "c.json", channel: .managedApps, entries: entries)
        return AppConfigurationAssignment(
          document: document, account: Lab.anna, apps: ["com.example.managed"])
      }
      let lab = try Lab(policy: Settings()) {
        $0.appConfigurations = [
          assignment(["Days": "7", "On": "true"]), assignment(["Days": "30", "On": "false"]),
        ]
      }
      try install(
        """
        local options = { account = "anna@contoso.com" }
        local function all()
          local c, lines = configuration, {}
          for _, query in ipairs { "any", "min", "max" } do
            options.query = query
            lines[#lines + 1] = tostring(c.number("Days", options))
            lines[#lines + 1] = tostring(c.string("Days", options))
          end
          for _, query in ipairs { "any", "or", "and" } do
            options.query = query
            lines[#lines + 1] = tostring(c.boolean("On", options))
          end
          options.query = nil
          lines[#lines + 1] = #c.strings("Days", options) .. #c.numbers("Days", options)
          lines[#lines + 1] = tostring(c.booleans("On", options)[2])
          lines[#lines + 1] = tostring(c.hasConflict("Days", options))
          lines[#lines + 1] = tostring(c.string("Nothing", options))
          lines[#lines + 1] = #c.fullData(options) .. tostring((c.fullData(options)[1] or {}).On)
          lines[#lines + 1] = tostring(pcall(c.string, "Days", { query = "or" }))
          lines[#lines + 1] = tostring(pcall(c.string, "Days", { acount = "x" }))
          return table.concat(lines, " ")
        end
        app.launched(function() files.write("launched", all()) end)
        app.notified(function(name, account) files.write("notified", name .. " " .. account .. " " .. all()) end)
        """, managed: true, in: lab)
      #expect(
        lab.report("launched", of: "scripted")
          == "7 7 7 30 30 7 true true false 22 false true nil 2true false false")
      lab.device.configurations.assign([assignment(["Days": "5"])], to: Lab.anna)
      #expect(
        lab.report("notified", of: "scripted")
          == "appConfigDidChange anna@contoso.com 5 5 5 5 5 5 nil nil nil 11 nil false nil 1nil false "
          + "false")
      lab.close()
    }

    @Test func `a Lua app can call pasteboard, sharing, keychain and file functions in sequence`()
      throws
    {
      let lab = try Lab(apps: ["other"])
      try install(
        """
        app.received(function(item)
          local copied = pasteboard.copy(item.text .. "!")
          local pasted = pasteboard.paste()
          local shared = app.share { to = "other", text = pasted.items[1].text }
          local key = { service = "s", account = "a" }
          keychain.add { service = "s", account = "a", value = "secret" }
          local outcome, secret = keychain.query(key)
          local missing = keychain.delete { service = "s", account = "b" }
          files.write("notes/one", "1")
          files.append("notes/one", "2")
          files.move("notes/one", "notes/two")
          files.write("notes/three", "3")
          files.remove("notes/three")
          local none, why = files.read("notes/three")
          files.write("report", table.concat({
            item.sender, copied.ended, shared.ended, shared.reasons[1].rule, secret, missing.status,
            files.read("notes/two"), table.concat(files.list("notes"), ","), tostring(none), why.code,
            tostring(files.info("report")), tostring(policy.isPrintingAllowed()),
            tostring(url.canOpen("scripted:x")), tostring(accounts.current()), device.guest,
          }, " "))
        end)
        """, in: lab)
      lab.share("hello", from: "other", to: "scripted")
      #expect(
        lab.report("report", of: "scripted")
          == "com.example.other delivered delivered noRuleApplied secret -25300 12 two nil 104 nil "
          + "true true nil scripted")
      #expect(lab.inbox(of: "other") == ["hello!"])
      lab.close()
    }

    @Test func `a failed listing of a folder returns a code and a reason`() throws {
      let lab = try Lab(apps: ["other"])
      try install(
        """
        app.received(function()
          local lines = {}
          local function note(name, options)
            local found, why = files.list(name, options)
            lines[#lines + 1] = tostring(found) .. " " .. why.code .. " " .. why.text
          end
          files.write("file", "x")
          note("..")
          note("/")
          note("missing")
          note("file")
          note(".", { group = "group.of.others" })
          files.write("report", table.concat(lines, "\\n"))
        end)
        """, in: lab)
      lab.share("hello", from: "other", to: "scripted")
      #expect(
        lab.report("report", of: "scripted") == """
          nil 106 `..` is refused: fileOutsideContainer
          nil 106 `/` is refused: fileOutsideContainer
          nil 104 there is no folder `missing`
          nil 101 `file` is not a folder
          nil 106 `.` is refused: appGroupNotEntitled
          """)
      lab.close()
    }

    @Test func `a script can receive URLs, provide items and import items`() throws {
      let lab = try Lab(apps: ["other"])
      try install(
        """
        app.provides(function(who) return "for " .. who end)
        app.opened(function(link, sender)
          local mine = app.import { from = "com.example.giver" }
          files.write("report", link .. " " .. sender .. " " .. mine.items[1].text)
        end)
        """, in: lab)
      try install("app.provides(function() return 'a gift' end)", as: "giver", in: lab)
      lab.perform(.import(source: "scripted", via: .sdk), on: "other")
      #expect(lab.inbox(of: "other") == ["for com.example.other"])
      lab.perform(.openURL(OpenURL("scripted:there")), on: "other")
      #expect(lab.report("report", of: "scripted") == "scripted:there com.example.other a gift")
      lab.close()
    }

    @Test func `a script's identity scope applies to its calls and ends with the block`() throws {
      let lab = try Lab(policy: .managedOnly, apps: ["other"])
      try install(
        """
        app.opened(function()
          local function share() return app.share { to = "other", text = "hi" }.ended end
          local report = { share() }
          report[2] = accounts.within("anna@contoso.com", share)
          pcall(accounts.within, "anna@contoso.com", function() report[3] = share() error("no") end)
          report[4] = share()
          report[5] = tostring(accounts.thread())
          files.write("report", table.concat(report, " "))
        end)
        """, managed: true, multiIdentity: true, in: lab)
      lab.perform(.openURL(OpenURL("scripted:")), on: "other")
      #expect(lab.report("report", of: "scripted") == "delivered refused refused delivered nil")
      lab.close()
    }

    @Test func `a script gets a denial as a return value, not as an error`() throws {
      let lab = try Lab(policy: .managedOnly, apps: ["other"])
      try install(
        """
        app.opened(function()
          local outcome = app.share { to = "other", text = "figures" }
          accounts.within("", function()
            files.write("report", outcome.verdict .. " " .. outcome.reasons[1].rule
              .. " " .. outcome.reasons[1].setting .. " " .. tostring(outcome.isDelivered))
          end)
          log(accounts.current(), accounts.isManaged())
        end)
        """, managed: true, in: lab)
      lab.perform(.openURL(OpenURL("scripted:")), on: "other")
      lab.wait("the decision") { lab.decisions.contains { $0.operation == .share } }
      let decision = try #require(lab.decisions.first { $0.operation == .share })
      #expect(decision.verdict.outcome == .blocked)
      #expect(
        lab.report("report", of: "scripted")
          == "blocked sendManagedAppsToUnmanaged allowedOutboundDataTransferDestinations false")
      lab.close()
    }

    @Test func `a script's random numbers and time come from the device's seed and clock`() throws {
      func report(seed: UInt64, name: String) throws -> String {
        let lab = try Lab(apps: ["other"]) { $0.seed = seed }
        try install(
          "app.opened(function() files.write('report', random(1 << 40) .. ' ' .. device.date()) "
            + "end)", as: name, in: lab)
        lab.device.advanceClock(by: 3600)
        lab.perform(.openURL(OpenURL("\(name):")), on: "other")
        defer { lab.close() }
        return lab.report("report", of: name)
      }
      let first = try report(seed: 1, name: "a")
      #expect(try report(seed: 1, name: "a") == first)
      #expect(try report(seed: 2, name: "a") != first)
      #expect(try report(seed: 1, name: "b") != first)
      #expect(first.hasSuffix(" 2026-01-01T01:00:00Z"))
    }
  }
}

/// Changes between a request and its answer take effect. An account signs out, its policy changes,
/// or the app exits.
extension RealProcesses.ScriptTests {
  /// Installs a managed app that performs `what` when a URL is opened, and signs its account out
  /// for `mail:out`.
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

  @Test func `promised data of a signed-out account is not loaded`() throws {
    let lab = try Lab(policy: .managedOnly)
    try install(
      "share.requested(function() url.open('mail:out') share.load('public.utf8-plain-text') share.complete() end)",
      as: "look", kind: .extension(.share, in: "com.example.host"), in: lab)
    try installSender(doing: "app.share { to = 'look', text = 'Figures', via = 'os' }", in: lab)
    setOff(in: lab)
    #expect(last(.loadItem, in: lab) == .ownerNotSignedIn)
    lab.close()
  }

  @Test
  func `a delivery to an unmanaged account is decided after the app answers the identity switch`()
    throws
  {
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

  @Test func `an app does not get a URL for an account that signs out before the app answers`()
    throws
  {
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
    #expect(last(.openURL, in: lab) == .identitySwitchRefused)
    lab.close()
  }

  @Test func `an app that ends before it switches identity does not get the URL`() throws {
    let lab = try Lab(policy: Settings())
    try install(
      """
      app.identitySwitchRequired(function() error('no') end)
      app.opened(function(url) files.append('log', url) end)
      """, managed: true, multiIdentity: true, in: lab)
    try installSender(doing: "url.open('scripted:x')", in: lab)
    setOff(in: lab)
    lab.wait("the decisions") { lab.decisions.count { $0.operation == .openURL } == 2 }
    let opening = lab.decisions.last { $0.operation == .openURL }
    lab.wait("the end") { lab.ends.contains { $0.request == opening?.request } }
    #expect(last(.openURL, in: lab) == .identitySwitchRefused)
    #expect(lab.ends.filter { $0.request == opening?.request }.map(\.end) == [.refused])
    #expect(lab.file("log", of: "scripted") == nil)
    lab.close()
  }

  @Test func `device.request sends a protocol request by name and rejects unknown fields`() throws {
    let lab = try Lab()
    try install(
      """
      local outcome = device.request("sign_in", { account = "" })
      local _, why = pcall(function() device.request("open_url", { ulr = "x" }) end)
      files.write("report", outcome.reasons[1].rule .. " " .. why:match("%(.*%)$"))
      """, in: lab)
    lab.wait("the report") {
      lab.file("report", of: "scripted")
        == "enrollmentNeedsAccount (`open_url` has no field `ulr`: `url`, `known_managed_scheme`, "
        + "`asks_only`, `universal_links_only`)"
    }
    #expect(lab.decisions.first?.operation == .signIn)
    lab.close()
  }

  @Test func `a sign-in without an account name is rejected`() throws {
    let lab = try Lab()
    try install(
      "files.write('report', accounts.signIn('').reasons[1].rule)", in: lab)
    lab.wait("the report") { lab.file("report", of: "scripted") == "enrollmentNeedsAccount" }
    lab.close()
  }
}
