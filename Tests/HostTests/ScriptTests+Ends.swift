import Foundation
import Model
import TestSupport
import Testing
import Wire

@testable import Host

/// The beginnings and ends of scripts, and the mistakes that end them.
extension RealProcesses.ScriptTests {
  private func exitText(of guest: String, in lab: Lab) -> String? {
    lab.events.compactMap { event in
      if case .guestExited(guest, _, let text) = event { text } else { nil }
    }.last
  }

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
}
