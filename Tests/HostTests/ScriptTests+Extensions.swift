import Model
import Policy
import Testing
import Wire

@testable import Host

/// Extensions whose program is a script.
extension RealProcesses.ScriptTests {
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
    #expect(
      lab.events.contains(
        .guestStarted(guest: "diary#3", app: "com.example.diary", team: "SLUICETEAM")))
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
}
