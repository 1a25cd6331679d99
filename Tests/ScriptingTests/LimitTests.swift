import Testing

@testable import Scripting

/// Tests that scripts that exceed a limit end with the limit's name and the position.
struct LimitTests {
  struct Hostile: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let code: ScriptError.Code
    let line: Int
    let text: String

    init(_ name: String, _ code: ScriptError.Code, line: Int = 1, _ text: String) {
      testDescription = name
      self.code = code
      self.line = line
      self.text = text
    }
  }

  static let endless: [Hostile] = [
    Hostile("a loop", .instructions, line: 2, "local n = 0\nwhile true do n = n + 1 end"),
    Hostile(
      "a loop in pcall in a loop", .instructions,
      "while true do pcall(function() while true do end end) end"),
    Hostile(
      "a loop in xpcall with a handler that loops", .instructions,
      "xpcall(function() while true do end end, function() while true do end end)"),
    Hostile(
      "coroutine.wrap in a loop", .instructions,
      "while true do coroutine.wrap(function() for i = 1, 90 do end end)() end"),
    Hostile(
      "a loop in a coroutine that is resumed endlessly", .instructions,
      "while true do coroutine.resume(coroutine.create(function() while true do end end)) end"),
    Hostile(
      "a loop while a variable is closed", .instructions,
      "do local x <close> = setmetatable({}, {__close = function() while true do end end}) end"),
    Hostile(
      "a loop while a coroutine is closed", .instructions, line: 2,
      """
      local co = coroutine.create(function()
        local x <close> = setmetatable({}, {__close = function() while true do end end})
        coroutine.yield()
      end)
      coroutine.resume(co)
      coroutine.close(co)
      """),
    Hostile(
      "an index that loops", .instructions,
      "local t = setmetatable({}, {__index = function() while true do end end}) log(t.x)"),
    Hostile(
      "an error whose text is computed in a loop", .instructions,
      "tostring(setmetatable({}, {__tostring = function() while true do end end}))"),
    Hostile(
      "a pattern with exponential backtracking", .instructions,
      "(('a'):rep(30000)):find('.-.-.-.-.-b')"),
    Hostile(
      "a replacement with an exponential pattern", .instructions,
      "(('a'):rep(10000)):gsub('(a-)(a-)(a-)b', '')"),
    Hostile(
      "an exponential pattern in gmatch", .instructions,
      "for x in (('a'):rep(10000)):gmatch('(a*)(a*)(a*)b') do end"),
    Hostile(
      "a faked length", .instructions, line: 2,
      "local t = setmetatable({}, {__len = function() return math.maxinteger - 1 end})\n"
        + "table.insert(t, 1, 2)"),
    Hostile(
      "a faked length in remove", .instructions,
      "table.remove(setmetatable({}, {__len = function() return 1 << 60 end}), 1)"),
    Hostile(
      "concat of missing elements", .instructions,
      "table.concat(setmetatable({}, {__index = table.concat}), '', 1, math.maxinteger)"),
    Hostile("moving nothing", .instructions, "table.move({}, 1, math.maxinteger - 1, 2)"),
    Hostile("a flood of log lines", .instructions, "while true do log(('x'):rep(4000)) end"),
  ]

  static let greedy: [Hostile] = [
    Hostile("a long text", .memory, "local s = ('x'):rep(100e6)"),
    Hostile("the longest text", .memory, "local s = ('xx'):rep(math.maxinteger, 'y')"),
    Hostile(
      "a long text in pcall", .memory, line: 2,
      "local ok = pcall(function()\n  local s = ('x'):rep(100e6)\nend)\nlog('swallowed')"),
    Hostile(
      "a table in pcall", .memory,
      "pcall(function() local t = {} for i = 1, 1e9 do t[i] = {i} end end) log('swallowed')"),
    Hostile(
      "a table in a coroutine", .memory,
      "coroutine.resume(coroutine.create(function() local t = {} "
        + "for i = 1, 1e9 do t[i] = {i} end end)) log('swallowed')"),
    Hostile("a text that doubles", .memory, "local s = 'x' while true do s = s .. s end"),
    Hostile("calls without end", .memory, "local function f() return 1 + f() end f()"),
    Hostile(
      "coroutines that are kept", .memory,
      "local t = {} while true do t[#t + 1] = coroutine.create(print) end"),
    Hostile(
      "a replacement that grows", .memory,
      "local s = 'aa' while true do s = s:gsub('a', 'aaaa') end"),
  ]

  static let wrong: [Hostile] = [
    Hostile("an error", .uncaught, line: 2, "local x\nx.y = 1"),
    Hostile("an error without position", .uncaught, "assert(false, 'no position')"),
    Hostile("an error that is a table", .uncaught, line: 2, "\nerror({ code = 1 })"),
    Hostile(
      "an error whose text would loop", .uncaught,
      "error(setmetatable({}, {__tostring = function() while true do end end}))"),
    Hostile(
      "an error in a coroutine", .uncaught,
      "coroutine.wrap(function() error('no') end)()"),
    Hostile("a yield of the task itself", .uncaught, "coroutine.yield(1)"),
    Hostile(
      "an index of itself", .uncaught, line: 3,
      "local t = setmetatable({}, {})\ngetmetatable(t).__index = t\nlog(t.x)"),
    Hostile(
      "wraps that wrap", .uncaught,
      "local function f() return coroutine.wrap(f)() end f()"),
    Hostile(
      "a finalizer, which would run without limit checks", .uncaught,
      "setmetatable({}, {__gc = function() while true do end end})"),
    Hostile(
      "a call of the host within a comparison", .uncaught,
      "table.sort({3, 2, 1}, function(a, b) pasteboard.paste() return a < b end)"),
    Hostile(
      "a call of the host within a comparison, in a coroutine", .uncaught,
      "table.sort({3, 2, 1}, coroutine.wrap(function() pasteboard.paste() end))"),
    Hostile(
      "a call of the host within an error's text", .uncaught, line: 2,
      "local function wait()\n  pasteboard.paste()\nend "
        + "tostring(setmetatable({}, { __tostring = wait }))"),
    Hostile("a function as an argument to the host", .uncaught, "pasteboard.copy(print)"),
    Hostile(
      "a table that contains itself as an argument to the host", .uncaught,
      "local t = {} t.t = t pasteboard.copy(t)"),
  ]

  static let noLua: [Hostile] = [
    Hostile("a slip", .syntax, line: 2, "log(1)\nlocal x = = 2"),
    Hostile("a missing end", .syntax, line: 3, "share.loaded(function()\n  log(1)\n"),
    Hostile("a goto to nowhere", .syntax, "goto nowhere"),
    Hostile("a syntax error after an interpreter line", .syntax, line: 2, "#!/usr/bin/lua\n= 2"),
    Hostile("a second interpreter line", .syntax, line: 2, "\n#!/usr/bin/lua"),
  ]

  @Test(arguments: endless + greedy + wrong + noLua)
  func `an endless, greedy or invalid script ends with an error at its position`(_ hostile: Hostile)
    throws
  {
    let bench = try Bench()
    let error = #expect(throws: ScriptError.self) { try bench.run(hostile.text) }
    let found = try #require(error)
    #expect(found.code == hostile.code, "\(found)")
    #expect(found.description.hasPrefix("test.lua:\(hostile.line): "), "\(found)")
    #expect(bench.log.allSatisfy { !$0.contains("swallowed") })
  }

  @Test(arguments: [
    "\u{FEFF}return 1", "#!/usr/bin/lua\nreturn 1", "\u{FEFF}#!/usr/bin/lua\r\nreturn 1",
  ])
  func `a script's byte order mark and shebang line are skipped`(text: String) throws {
    #expect(try Bench().run(text) == .integer(1))
  }

  @Test(arguments: ["", "\u{FEFF}", "#", "#!/usr/bin/lua", "\u{FEFF}# nothing else\n"])
  func `a Lua script that is empty or only a comment is valid`(text: String) throws {
    #expect(try Bench().run(text) == .nothing)
  }

  @Test(arguments: ["\u{1B}Lua", "\u{FEFF}\u{1B}Lua", "#\n\u{1B}Lua"])
  func `a script in Lua bytecode is rejected as a syntax error`(text: String) throws {
    let bench = try Bench()
    let error = #expect(throws: ScriptError.self) { try bench.run(text) }
    #expect(error?.code == .syntax)
  }

  @Test func `a script that exceeds a limit ends with an error that names the limit`() throws {
    let loop = #expect(throws: ScriptError.self) { try Bench().run("while true do end") }
    #expect(
      loop?.description
        == "test.lua:1: instruction limit of 2000000 reached [script-instructions]")
    let hoard = #expect(throws: ScriptError.self) { try Bench().run("return ('x'):rep(1e8)") }
    #expect(hoard?.description == "test.lua:1: memory limit of 4096 KiB reached [script-memory]")
  }

  @Test func `the time limit ends a script even within the instruction limit and inside pcall`()
    throws
  {
    var limits = ScriptLimits.small
    limits.instructions = .max / 2
    limits.milliseconds = 30
    let bench = try Bench(limits)
    let error = #expect(throws: ScriptError.self) {
      try bench.run("pcall(function() while true do end end) log('swallowed')")
    }
    #expect(error?.description == "test.lua:1: time limit of 30 ms reached [script-time]")
    #expect(bench.log == [])
  }

  @Test func `each callback has its own instruction limit`() throws {
    let bench = try Bench()
    _ = try bench.run("app.launched(function() for i = 1, 1e6 do end end)")
    for _ in 1...4 { _ = try bench.call(.launched) }
    #expect(throws: ScriptError.self) { try bench.run("for i = 1, 4e6 do end") }
  }

  @Test func `collected garbage does not count toward a Lua script's memory limit`() throws {
    let bench = try Bench()
    let kept = try bench.run(
      "local n = 0 for i = 1, 20 do n = n + #('x'):rep(1 << 20) end return n")
    #expect(kept == .integer(20 << 20))
    #expect(bench.memory < 4 << 20)
  }
}
