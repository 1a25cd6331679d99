import Foundation
import Model
import Policy
import TestSupport
import Testing
import Wire

@testable import Host

/// Tests the start and end of scripts, and the errors that end them.
extension RealProcesses.ScriptTests {
  /// An erroneous script and the expected reason for its end; `…` stands for any text.
  struct InvalidInput: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let script: String
    let expected: String

    init(_ name: String, _ script: String, _ expected: String) {
      testDescription = name
      self.script = script
      self.expected = expected
    }

    /// Creates a call at the app's launch, in line 2.
    init(_ call: String, _ why: String) {
      self.init(
        call, "app.launched(function()\n  \(call)\nend)",
        "exited with status 70: scripted.lua:2: \(why) [script-error]")
    }
  }

  static let mistakes = [
    InvalidInput(
      "a script with a syntax error does not start, and reports the position",
      "log(1)\nlocal x = = 2\n",
      "not started: scripted.lua:2: unexpected symbol near '=' [script-syntax]"),
    InvalidInput(
      "a script that logs endlessly is ended by its limit",
      "for i = 1, 1e9 do log(('x'):rep(4000)) end", "…[script-instructions]"),
    InvalidInput(
      "url.open(12)", "bad argument #1 to `url.open` (string expected, got number)"),
    InvalidInput(
      "share.complete('x')", "`share.complete` is for extensions: an app has no request"),
    InvalidInput("share.cancel('x')", "`share.cancel` is for extensions: an app has no request"),
    InvalidInput(
      "share.load('public.text')", "`share.load` is for extensions: an app has no request"),
    InvalidInput(
      "pasteboard.copy { text = 'x', tag = 'forged' }",
      "bad field `tag` of an item (table expected, got string)"),
    InvalidInput(
      "pasteboard.copy { text = 'x', tag = { owner = '', objectId = '', tenant = '', "
        + "isManaged = false, origin = '', device = '', sequence = 'x', seal = '' } }",
      "bad field `sequence` of an item's tag (integer expected, got string)"),
    InvalidInput(
      "pasteboard.copy { text = 'x', name = ('n'):rep(10000) }",
      "bad argument #1 to `pasteboard.copy` (names with more than 8192 bytes in total)"),
    InvalidInput(
      "app.share { to = 'x', text = 'x', name = ('n'):rep(8192) }",
      "the fields of `app.share` have more than 8192 bytes of names"),
    InvalidInput(
      "url.open(('u'):rep(8193))",
      "bad argument #1 to `url.open` (names with more than 8192 bytes in total)"),
  ]

  @Test(arguments: mistakes)
  func `an invalid call in a Lua script ends the app with the reason`(
    mistake: InvalidInput
  ) throws {
    let lab = try Lab()
    try install(mistake.script, in: lab)
    lab.wait("its end") { lab.exits(of: "scripted") != [] }
    let isStarted = !mistake.expected.hasPrefix("not started")
    #expect(lab.exits(of: "scripted") == [isStarted ? "exited" : "notStarted"])
    let text = try #require(lab.exitText(of: "scripted"))
    #expect(Self.matches(text, mistake.expected), "\(text)")
    lab.close()
  }

  /// Returns whether a text equals the expected one, in which `…` stands for any text.
  static func matches(_ text: String, _ expected: String) -> Bool {
    let parts = expected.components(separatedBy: "…")
    return parts.count == 1
      ? text == expected : text.hasPrefix(parts[0]) && text.hasSuffix(parts[1])
  }

  @Test func `a script that raises an error at load has exited when its launch completes`() throws {
    let lab = try Lab()
    let path = try workspace.write("local x = 1\nerror('no')", to: "raising.lua")
    for number in 0..<10 {
      let (raising, other) = ("raising-\(number)", "other-\(number)")
      try lab.device.install(AppDescription(name: other, bundleID: "com.example.other"))
      try lab.device.install(
        AppDescription(
          name: raising, bundleID: "com.example.raising", program: .script(path: path)))
      lab.launch([raising, other])
      #expect(lab.exits(of: raising) == ["exited"])
      #expect(lab.device.guests.isRunning(other))
    }
    lab.close()
  }

  @Test func `a script error ends the app, and the journal states the line of the error`() throws {
    let lab = try Lab(apps: ["other"])
    try install("app.opened(function()\n\nerror('enough')\nend)", in: lab)
    lab.perform(.openURL(OpenURL("scripted:")), on: "other")
    lab.wait("its end") { lab.exits(of: "scripted") != [] }
    #expect(
      lab.exitText(of: "scripted")
        == "exited with status 70: scripted.lua:3: enough [script-error]")
    try lab.closeInService()
  }

  @Test func `a missing, overlong or unreadable script does not start`() throws {
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
      let text = try #require(lab.exitText(of: name))
      #expect(text.hasPrefix("not started: ") && text.contains(why), "\(text)")
    }
    lab.close()
  }
}

/// Tests extensions whose program is a script.
extension RealProcesses.ScriptTests {
  /// Shares `hello` with an extension whose program is a script.
  private func share(
    with script: String, as name: String = "plugin", at point: ExtensionPoint = .share
  ) throws -> Lab {
    let lab = try Lab(apps: ["sender"])
    try install(script, as: name, kind: .extension(point, in: "com.example.host"), in: lab)
    lab.share("hello", from: "sender", to: name)
    return lab
  }

  @Test(
    arguments: [
      (
        "share.loaded(function(item) share.complete({ item.text:upper(), { text = '{}', "
          + "type = 'public.json' } }) end)", ["HELLO", "{}"], nil
      ),
      // These scripts load a type with and without the SDK's prefix.
      (load("public.utf8-plain-text"), ["public.utf8-plain-text"], nil),
      (
        load("com.microsoft.intune.mam.public.utf8-plain-text"), ["public.utf8-plain-text"], nil
      ),
      (
        load("COM.Microsoft.Intune.MAM.public.UTF8-plain-text"), ["public.utf8-plain-text"], nil
      ),
      // The error for a type that is not offered lists the offered ones.
      (
        "share.requested(function() local _, why = share.load('public.png') "
          + "share.complete(why) end)",
        ["`public.png` is not offered; offered are `public.utf8-plain-text`"], nil
      ),
      // The file itself may complete the request. In this case, the request is not completed again.
      ("share.complete('ok')", ["ok"], "stopped"), ("share.cancel('no')", [], "stopped"),
      (
        "share.complete(share.load('public.utf8-plain-text').text .. '!')", ["hello!"], "stopped"
      ),
      (
        "share.complete('ok') share.loaded(function() share.complete('again') end)", ["ok"],
        "stopped"
      ),
      // A second completion terminates the guest and has no other effect.
      (
        "share.loaded(function() share.complete('one') share.complete('two') end)", ["one"],
        "protocolViolation"
      ),
    ] as [(String, [String], String?)])
  func `a script's extension returns its items only once and then exits`(
    script: String, returned: [String], exit: String?
  ) throws {
    let lab = try share(with: script, at: .action)
    #expect(lab.inbox(of: "sender") == returned)
    if let exit {
      lab.expectEnd(of: "plugin#1", exit)
    }
    lab.close()
  }

  /// Returns a script that returns the type of the attachment that it loads.
  private static func load(_ type: String) -> String {
    "share.requested(function() share.complete(share.load('\(type)').type) end)"
  }

  @Test func `instances of an extension share one persistent container`() throws {
    let lab = try Lab(apps: ["sender"])
    try install(
      "share.loaded(function(item) files.append('log', item.text) share.complete() end)",
      as: "diary", kind: .extension(.share, in: "com.example.host"), in: lab)
    for text in ["one ", "two ", "three"] { lab.share(text, from: "sender", to: "diary") }
    #expect(lab.file("log", of: "diary") == "one two three")
    #expect(
      lab.events.contains(
        .guestStarted(guest: "diary#3", app: "com.example.diary", team: "SLUICETEAM")))
    lab.close()
  }

  @Test func `an extension receives encrypted shares without their texts`() throws {
    var settings = Settings()
    settings.allowedOutboundDataTransferDestinations = .managedApps
    let lab = try Lab(policy: settings, managed: "managed")
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

  @Test func `a shared text without attachments is owned by the app's acting identity`() throws {
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

  @Test func `a keyboard without full access cannot store data for its app`() throws {
    let lab = try Lab(apps: ["writer"])
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
        Use(
          channel: "keyboard", item: Item(type: Item.plainText, payload: .inline([0x61])),
          extensionID: "board")), on: "writer")
    #expect(
      lab.file("report", of: "board") == "keyboardWithoutFullAccess keyboardWithoutFullAccess")
    lab.close()
  }

  @Test func `concurrent instances of an extension each receive only their own shared text`() throws
  {
    let lab = try Lab(apps: ["sender"])
    try lab.device.install(
      AppDescription(
        name: "clip", bundleID: "com.example.notes.clip",
        kind: .extension(.share, in: "com.example.notes")))
    let ended = lab.ends.count
    for text in ["one", "two"] {
      let item = Item(type: Item.plainText, payload: .inline(Array(text.utf8)))
      lab.begin(.share(Share(destination: "clip", item: item)), on: "sender")
    }
    lab.wait("both shares") { lab.ends.count == ended + 4 }
    #expect(lab.inbox(of: "clip#1") == ["one"])
    #expect(lab.inbox(of: "clip#2") == ["two"])
    lab.close()
  }

  @Test func `an error in an extension cancels its request, and the reason states the line`() throws
  {
    let lab = try share(
      with: "share.loaded(function(item)\n  local x = item.nothing.there\nend)", as: "broken")
    #expect(
      lab.cancellations == [
        "broken.lua:2: attempt to index a nil value (field 'nothing') [script-error]"
      ])
    #expect(lab.ends.map(\.end) == [.delivered, .failed])
    lab.expectEnd(of: "broken#1", "exited")
    try lab.closeInService()
  }

  @Test(arguments: [
    // An error before the first callback is reported, too.
    (
      "nothing.at.all()", ExtensionPoint.share,
      "…plugin.lua:1: attempt to index a nil value (global 'nothing') [script-error]"
    ),
    // The error has the name of the limit that is reached.
    (loaded("while true do end"), .share, "plugin.lua:2: …[script-instructions]"),
    (
      loaded("local t = {} while true do t[#t + 1] = ('x'):rep(1 << 20) end"), .share,
      "plugin.lua:2: …[script-memory]"
    ),
    (loaded("pcall(string.rep, 'x', 1 << 40)"), .share, "plugin.lua:2: …[script-memory]"),
    (
      loaded("(('a'):rep(30000)):find('.-.-.-.-.-b')"), .share,
      "plugin.lua:2: …[script-instructions]"
    ),
    // It is misuse to return items that no extension may return.
    (
      loaded("local all = {} for n = 1, 65 do all[n] = 'x' end share.complete(all)"), .action,
      "plugin.lua:2: bad argument #1 to `share.complete` (65 items; the limit is 64) [script-error]"
    ),
    (
      loaded("share.complete({ { text = 'x', name = ('n'):rep(10000) } })"), .action,
      "plugin.lua:2: bad argument #1 to `share.complete` (names with more than 8192 bytes in total) "
        + "[script-error]"
    ),
    (
      loaded("share.cancel(('w'):rep(8193))"), .action,
      "plugin.lua:2: bad argument #1 to `share.cancel` (names with more than 8192 bytes in total) "
        + "[script-error]"
    ),
  ])
  func `an extension that exceeds a limit or misuses a call is cancelled with the reason`(
    script: String, point: ExtensionPoint, expected: String
  ) throws {
    let lab = try share(with: script, at: point)
    #expect(lab.cancellations.count == 1)
    let reason = try #require(lab.cancellations.first)
    #expect(Self.matches(reason, expected), "\(reason)")
    lab.close()
  }

  /// Returns a script that performs `body` when it has its item, in line 2.
  private static func loaded(_ body: String) -> String {
    "share.loaded(function()\n\(body)\nend)"
  }

  @Test(arguments: ["", "device.pause(60000) share.complete()"])
  func `an extension that does not complete in time is terminated`(
    body: String
  ) throws {
    let lab = try Lab(apps: ["sender"])
    try install(
      "share.loaded(function() \(body) end)", as: "hanging",
      kind: .extension(.share, in: "com.example.host"), in: lab)
    lab.shareWithExtension("hello", from: "sender", to: "hanging")
    #expect(lab.ends.map(\.end) == [.delivered, .undeliverable])
    #expect(lab.exits(of: "hanging#1") == ["unresponsive"])
    lab.close()
  }
}
