import AppConfiguration
import Foundation
import JSON
import Policy
import TestSupport
import Testing
import Model
import Wire

@testable import Host

extension RealProcesses {
  /// Guests whose program is a script in Lua.
  @Suite struct ScriptTests {
    private let workspace: Workspace

    init() throws { workspace = try Workspace() }

    /// Installs a script, and starts it where it is an app.
    private func install(
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

    /// What the script has written to a file of its container.
    private func file(_ name: String, of guest: String = "scripted", in lab: Lab) -> String? {
      let path = lab.device.containerPath(of: guest) + "/\(name)"
      return try? String(contentsOfFile: path, encoding: .utf8)
    }

    private func exitText(of guest: String, in lab: Lab) -> String? {
      lab.events.compactMap { event in
        if case .guestExited(guest, _, let text) = event { text } else { nil }
      }.last
    }

    @Test func `a script looks up its configuration, and hears of a change`() throws {
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
      lab.wait("the app to look") { file("launched", in: lab)?.isEmpty == false }
      #expect(
        file("launched", in: lab)
          == "7 7 7 30 30 7 true true false 22 false true nil 2true false false")
      lab.device.configurations.assign([assignment(["Days": "5"])], to: Lab.anna)
      lab.wait("the app to hear of it") { file("notified", in: lab)?.isEmpty == false }
      #expect(
        file("notified", in: lab)
          == "appConfigDidChange anna@contoso.com 5 5 5 5 5 5 nil nil nil 11 nil false nil 1nil false "
          + "false")
      lab.close()
    }

    @Test func `an app in Lua writes its calls straight`() throws {
      let lab = try Lab()
      try lab.app("other")
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
      lab.wait("the report") { file("report", in: lab)?.isEmpty == false }
      #expect(
        file("report", in: lab)
          == "com.example.other delivered delivered noRuleApplied secret -25300 12 two nil 104 nil "
          + "true true nil scripted")
      #expect(lab.inbox(of: "other") == ["hello!"])
      lab.close()
    }

    @Test func `what cannot be listed is answered as what cannot be read`() throws {
      let lab = try Lab()
      try lab.app("other")
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
      lab.wait("the report") { file("report", in: lab)?.isEmpty == false }
      #expect(
        file("report", in: lab) == """
          nil 106 `..` is refused: fileOutsideContainer
          nil 106 `/` is refused: fileOutsideContainer
          nil 104 there is no folder `missing`
          nil 101 `file` is no folder
          nil 106 `.` is refused: appGroupNotEntitled
          """)
      lab.close()
    }

    @Test func `it opens, provides and imports`() throws {
      let lab = try Lab()
      try lab.app("other")
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
      lab.wait("the report") { file("report", in: lab)?.isEmpty == false }
      #expect(file("report", in: lab) == "scripted:there com.example.other a gift")
      lab.close()
    }

    @Test func `a scope holds for what is asked in it, and ends with it`() throws {
      let lab = try Lab(policy: .managedOnly)
      try lab.app("other")
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
      lab.wait("the report") { file("report", in: lab)?.isEmpty == false }
      #expect(file("report", in: lab) == "delivered refused refused delivered nil")
      lab.close()
    }

    @Test func `denied is an answer`() throws {
      let lab = try Lab(policy: .managedOnly)
      try lab.app("other")
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
      lab.wait("the report") { file("report", in: lab)?.isEmpty == false }
      #expect(
        file("report", in: lab)
          == "blocked sendManagedAppsToUnmanaged allowedOutboundDataTransferDestinations false")
      lab.close()
    }

    // MARK: extensions

    @Test func `an extension hands items back`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        "share.loaded(function(item) share.complete({ item.text:upper(), { text = '{}', "
          + "type = 'public.json' } }) end)",
        as: "shout", kind: .extension(.action, in: "com.example.host"), in: lab)
      lab.share("hello", from: "sender", to: "shout")
      #expect(lab.inbox(of: "sender") == ["HELLO", "{}"])
      lab.close()
    }

    @Test(arguments: [
      "public.utf8-plain-text", "com.microsoft.intune.mam.public.utf8-plain-text",
      "COM.Microsoft.Intune.MAM.public.UTF8-plain-text",
    ])
    func `an attachment is loaded by its type with and without the SDK's prefix`(
      type: String
    ) throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        "share.requested(function() share.complete(share.load('\(type)').type) end)",
        as: "loader", kind: .extension(.action, in: "com.example.host"), in: lab)
      lab.share("hello", from: "sender", to: "loader")
      #expect(lab.inbox(of: "sender") == ["public.utf8-plain-text"])
      lab.close()
    }

    @Test func `whoever loads a type that is not offered hears which are`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        """
        share.requested(function()
          local item, why = share.load('public.png')
          share.complete(why)
        end)
        """, as: "loader", kind: .extension(.action, in: "com.example.host"), in: lab)
      lab.share("hello", from: "sender", to: "loader")
      #expect(
        lab.inbox(of: "sender")
          == ["`public.png` is not offered; offered are `public.utf8-plain-text`"])
      lab.close()
    }

    @Test func `runs of an extension have one container, which stays`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        "share.loaded(function(item) files.append('log', item.text) share.complete() end)",
        as: "diary", kind: .extension(.share, in: "com.example.host"), in: lab)
      for text in ["one ", "two ", "three"] { lab.share(text, from: "sender", to: "diary") }
      #expect(file("log", of: "diary", in: lab) == "one two three")
      #expect(lab.events.contains(.guestStarted(guest: "diary#3", app: "com.example.diary")))
      lab.close()
    }

    @Test func `what is to be encrypted comes without its texts`() throws {
      var settings = Settings()
      settings.allowedOutboundDataTransferDestinations = .managedApps
      let lab = try Lab(policy: settings)
      try lab.app("managed", managed: true)
      try install(
        "share.requested(function(items) share.complete((items[1].title or '-') .. "
          + "(items[1].text or '-')) end)",
        as: "look", kind: .extension(.share, in: "com.example.host"), in: lab)
      let item = OfferedItem(
        title: "Layoffs", contentText: "Figures",
        attachments: [
          OfferedAttachment(
            Item(type: Item.plainText, payload: .inline(Array("Minutes".utf8))))
        ])
      lab.perform(
        .shareItems(ShareItems(destination: "look", items: [item], via: .os)), on: "managed")
      #expect(lab.decisions.first?.verdict.outcome == .encrypted)
      #expect(lab.inbox(of: "managed") == ["--"])
      lab.close()
    }

    @Test func `texts belong to whom the app acts for, whosever the attachments are`() throws {
      let lab = try Lab(policy: .managedOnly)
      try lab.app("viewer")
      try lab.app("managed", managed: true)
      try install(
        "share.requested(function() share.complete() end)", as: "look",
        kind: .extension(.share, in: "com.example.host"), in: lab)
      lab.perform(
        .shareItems(
          ShareItems(destination: "look", items: [OfferedItem(contentText: "Figures")])),
        on: "managed")
      #expect(lab.ends.last?.end == .refused)
      #expect(lab.decisions.last?.owner == Lab.anna.upn)
      lab.close()
    }

    @Test func `a keyboard without full access leaves nothing for its app`() throws {
      let lab = try Lab()
      try lab.app("writer")
      try install(
        """
        share.loaded(function(item)
          local kept = keychain.add { service = "s", account = "a", value = item.text }
          local signedIn = accounts.signIn("anna@contoso.com")
          files.write("report", kept.reasons[1].rule .. " " .. signedIn.reasons[1].rule)
          share.complete()
        end)
        """, as: "board", kind: .extension(.keyboard, in: "com.example.host"), in: lab)
      lab.perform(
        .use(
          SystemHandOff(
            channel: "keyboard", item: Item(type: Item.plainText, payload: .inline([0x61])),
            extensionID: "board")), on: "writer")
      #expect(
        file("report", of: "board", in: lab)
          == "keyboardWithoutFullAccess keyboardWithoutFullAccess")
      lab.close()
    }

    @Test func `what runs get at the same time is kept beside each other`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try lab.device.install(
        AppDescription(
          name: "clip", bundleID: "com.example.notes.clip",
          kind: .extension(.share, in: "com.example.notes")))
      let ended = lab.ends.count
      for text in ["one", "two"] {
        let item = Item(type: Item.plainText, payload: .inline(Array(text.utf8)))
        lab.device.driver.perform(
          .share(Share(destination: "clip", item: item)), on: "sender"
        ) { _ in }
      }
      lab.wait("both shares") { lab.ends.count == ended + 4 }
      #expect(lab.inbox(of: "clip#1") == ["one"])
      #expect(lab.inbox(of: "clip#2") == ["two"])
      lab.close()
    }

    @Test func `an error in an extension cancels its request, and names the line`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        "share.loaded(function(item)\n  local x = item.nothing.there\nend)", as: "broken",
        kind: .extension(.share, in: "com.example.host"), in: lab)
      lab.share("hello", from: "sender", to: "broken")
      let reasons = lab.events.compactMap { event in
        if case .extensionCancelled(_, _, let why) = event { why } else { nil }
      }
      #expect(
        reasons == [
          "broken.lua:2: attempt to index a nil value (field 'nothing') [script-error]"
        ])
      #expect(lab.ends.map(\.end) == [.delivered, .failed])
      lab.wait("its end") { lab.exits(of: "broken#1") != [] }
      #expect(lab.exits(of: "broken#1") == ["exited"])
      try lab.expectService()
      lab.close()
    }

    @Test func `an error before there is a callback is told, too`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        "nothing.at.all()", as: "early", kind: .extension(.share, in: "com.example.host"), in: lab)
      lab.share("hello", from: "sender", to: "early")
      let reasons = lab.events.compactMap { event in
        if case .extensionCancelled(_, _, let why) = event { why } else { nil }
      }
      #expect(reasons.count == 1)
      #expect(
        reasons.first?.hasSuffix(
          "early.lua:1: attempt to index a nil value (global 'nothing') [script-error]") == true)
      lab.close()
    }

    @Test(arguments: [
      ("while true do end", "script-instructions"),
      ("local t = {} while true do t[#t + 1] = ('x'):rep(1 << 20) end", "script-memory"),
      ("pcall(string.rep, 'x', 1 << 40)", "script-memory"),
      ("(('a'):rep(30000)):find('.-.-.-.-.-b')", "script-instructions"),
    ])
    func `an extension that reaches a limit is cancelled with its name`(
      body: String, code: String
    ) throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        "share.loaded(function()\n\(body)\nend)", as: "greedy",
        kind: .extension(.share, in: "com.example.host"), in: lab)
      lab.share("hello", from: "sender", to: "greedy")
      let reasons = lab.events.compactMap { event in
        if case .extensionCancelled(_, _, let why) = event { why } else { nil }
      }
      let reason = try #require(reasons.first)
      #expect(reason.hasPrefix("greedy.lua:2: ") && reason.hasSuffix("[\(code)]"), "\(reason)")
      lab.close()
    }

    @Test func `an extension that neither completes nor cancels is ended`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        "share.loaded(function() end)", as: "hanging",
        kind: .extension(.share, in: "com.example.host"), in: lab)
      lab.shareWithExtension("hello", from: "sender", to: "hanging")
      #expect(lab.ends.map(\.end) == [.delivered, .undeliverable])
      #expect(lab.exits(of: "hanging#1") == ["unresponsive"])
      lab.close()
    }

    @Test func `who completes late is ended before`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        "share.loaded(function() device.pause(60000) share.complete() end)", as: "late",
        kind: .extension(.share, in: "com.example.host"), in: lab)
      lab.shareWithExtension("hello", from: "sender", to: "late")
      #expect(lab.ends.map(\.end) == [.delivered, .undeliverable])
      #expect(lab.exits(of: "late#1") == ["unresponsive"])
      lab.close()
    }

    @Test func `a second completion ends the guest, and changes nothing`() throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        "share.loaded(function() share.complete('one') share.complete('two') end)", as: "twice",
        kind: .extension(.action, in: "com.example.host"), in: lab)
      lab.share("hello", from: "sender", to: "twice")
      #expect(lab.inbox(of: "sender") == ["one"])
      lab.wait("its end") { lab.exits(of: "twice#1") != [] }
      #expect(lab.exits(of: "twice#1") == ["protocolViolation"])
      lab.close()
    }

    @Test(arguments: [
      ("share.complete('ok')", ["ok"]), ("share.cancel('no')", [] as [String]),
      ("share.complete(share.load('public.utf8-plain-text').text .. '!')", ["hello!"]),
      ("share.complete('ok') share.loaded(function() share.complete('again') end)", ["ok"]),
    ])
    func `the file itself may end the request, which nobody ends again`(
      script: String, returned: [String]
    ) throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        script, as: "hasty", kind: .extension(.action, in: "com.example.host"), in: lab)
      lab.share("hello", from: "sender", to: "hasty")
      #expect(lab.inbox(of: "sender") == returned)
      lab.wait("its end") { lab.exits(of: "hasty#1") != [] }
      #expect(lab.exits(of: "hasty#1") == ["stopped"])
      lab.close()
    }

    // MARK: beginnings and ends

    @Test func `a script with a slip does not start, and says where`() throws {
      let lab = try Lab()
      try install("log(1)\nlocal x = = 2\n", in: lab)
      #expect(
        exitText(of: "scripted", in: lab)
          == "not started: scripted.lua:2: unexpected symbol near '=' [script-syntax]")
      lab.close()
    }

    @Test func `a script that logs without end ends by its own limit`() throws {
      let lab = try Lab()
      try install("for i = 1, 1e9 do log(('x'):rep(4000)) end", in: lab)
      lab.wait("its end") { lab.exits(of: "scripted") != [] }
      #expect(lab.exits(of: "scripted") == ["exited"])
      #expect(exitText(of: "scripted", in: lab)?.hasSuffix("[script-instructions]") == true)
      lab.close()
    }

    @Test func `a script that raises while it starts has ended when it was launched`() throws {
      for _ in 0..<10 {
        let lab = try Lab()
        try lab.device.install(AppDescription(name: "other", bundleID: "com.example.other"))
        let path = try workspace.write("local x = 1\nerror('no')", to: "raising.lua")
        try lab.device.install(
          AppDescription(
            name: "raising", bundleID: "com.example.raising", program: .script(path: path)))
        lab.launch(["raising", "other"])
        #expect(lab.exits(of: "raising") == ["exited"])
        #expect(lab.device.guests.isRunning("other"))
        lab.close()
      }
    }

    @Test func `an error in an app ends it, and the journal says where`() throws {
      let lab = try Lab()
      try lab.app("other")
      try install("app.opened(function()\n\nerror('enough')\nend)", in: lab)
      lab.perform(.openURL(OpenURL("scripted:")), on: "other")
      lab.wait("its end") { lab.exits(of: "scripted") != [] }
      #expect(
        exitText(of: "scripted", in: lab)
          == "exited with status 70: scripted.lua:3: enough [script-error]")
      try lab.expectService()
      lab.close()
    }

    @Test func `misuse is an error with a position`() throws {
      let lab = try Lab()
      try install("app.launched(function()\n  url.open(12)\nend)", in: lab)
      lab.wait("its end") { lab.exits(of: "scripted") != [] }
      #expect(
        exitText(of: "scripted", in: lab)
          == "exited with status 70: scripted.lua:2: bad argument #1 to `url.open` (string "
          + "expected, got number) [script-error]")
      lab.close()
    }

    @Test(arguments: [
      ("share.complete('x')", "`share.complete` is for extensions: an app has no request"),
      ("share.cancel('x')", "`share.cancel` is for extensions: an app has no request"),
      ("share.load('public.text')", "`share.load` is for extensions: an app has no request"),
      (
        "pasteboard.copy { text = 'x', tag = 'forged' }",
        "bad field `tag` of an item (table expected, got string)"
      ),
      (
        "pasteboard.copy { text = 'x', tag = { owner = '', objectId = '', tenant = '', "
          + "isManaged = false, origin = '', device = '', sequence = 'x', seal = '' } }",
        "bad field `sequence` of an item's tag (integer expected, got string)"
      ),
      (
        "pasteboard.copy { text = 'x', name = ('n'):rep(10000) }",
        "bad argument #1 to `pasteboard.copy` (names of more than 8192 bytes)"
      ),
      (
        "app.share { to = 'x', text = 'x', name = ('n'):rep(8192) }",
        "`app.share` names more than 8192 bytes with its fields"
      ),
      (
        "url.open(('u'):rep(8193))",
        "bad argument #1 to `url.open` (names of more than 8192 bytes)"
      ),
    ])
    func `what no app may ask is misuse, too, and not the end of its connection`(
      call: String, why: String
    ) throws {
      let lab = try Lab()
      try install("app.launched(function()\n  \(call)\nend)", in: lab)
      lab.wait("its end") { lab.exits(of: "scripted") != [] }
      #expect(
        exitText(of: "scripted", in: lab)
          == "exited with status 70: scripted.lua:2: \(why) [script-error]")
      lab.close()
    }

    @Test(arguments: [
      (
        "local all = {} for n = 1, 65 do all[n] = 'x' end share.complete(all)",
        "bad argument #1 to `share.complete` (65 items, the limit is 64)"
      ),
      (
        "share.complete({ { text = 'x', name = ('n'):rep(10000) } })",
        "bad argument #1 to `share.complete` (names of more than 8192 bytes)"
      ),
      (
        "share.cancel(('w'):rep(8193))",
        "bad argument #1 to `share.cancel` (names of more than 8192 bytes)"
      ),
    ])
    func `what no extension may hand back is misuse, too`(call: String, why: String) throws {
      let lab = try Lab()
      try lab.app("sender")
      try install(
        "share.loaded(function()\n  \(call)\nend)", as: "excess",
        kind: .extension(.action, in: "com.example.host"), in: lab)
      lab.share("hello", from: "sender", to: "excess")
      let reasons = lab.events.compactMap { event in
        if case .extensionCancelled(_, _, let why) = event { why } else { nil }
      }
      #expect(reasons == ["excess.lua:2: \(why) [script-error]"])
      lab.close()
    }

    @Test func `a script that is missing, a folder, too long or no text does not start`() throws {
      let lab = try Lab()
      try workspace.write("", to: "folder.lua/file")
      try workspace.write(String(repeating: "-", count: 1 << 20 + 1), to: "long.lua")
      try Data([0x2D, 0x2D, 0xFF]).write(to: URL(fileURLWithPath: workspace.path("latin.lua")))
      for (name, why) in [
        ("missing", "cannot find the script"), ("folder", "is not a readable file"),
        ("long", "the limit is 1 MiB"), ("latin", "is not UTF-8 [script-file]"),
      ] {
        try lab.device.install(
          AppDescription(
            name: name, bundleID: "com.example.\(name)",
            program: .script(path: workspace.path("\(name).lua"))))
        lab.launch([name])
        let text = try #require(exitText(of: name, in: lab))
        #expect(text.hasPrefix("not started: ") && text.contains(why), "\(text)")
      }
      lab.close()
    }

    // MARK: chance and time

    @Test func `chance and clock are the device's`() throws {
      func report(seed: UInt64, name: String) throws -> String? {
        let lab = try Lab { $0.seed = seed }
        try lab.app("other")
        try install(
          "app.opened(function() files.write('report', random(1 << 40) .. ' ' .. device.date()) "
            + "end)", as: name, in: lab)
        lab.device.advanceClock(by: 3600)
        lab.perform(.openURL(OpenURL("\(name):")), on: "other")
        var found: String?
        lab.wait("the report") {
          found = file("report", of: name, in: lab)
          return found?.isEmpty == false
        }
        lab.close()
        return found
      }
      let first = try report(seed: 1, name: "a")
      #expect(try report(seed: 1, name: "a") == first)
      #expect(try report(seed: 2, name: "a") != first)
      #expect(try report(seed: 1, name: "b") != first)
      #expect(first?.hasSuffix(" 2026-01-01T01:00:00Z") == true)
    }
  }
}
