import Testing

@testable import Scripting

/// Tests calls that suspend the script until their answer.
struct CallTests {
  @Test func `a call in Lua returns the host's answer`() throws {
    let bench = try Bench(answers: [[.text("pasted"), .integer(3)]])
    #expect(try bench.run("local a, b = pasteboard.paste() return a .. b").text == "pasted3")
    #expect(bench.asked.map(\.function) == ["pasteboard.paste"])
  }

  @Test func `values passed to the host and back are unchanged`() throws {
    let value: ScriptValue = .table(
      [.integer(-1), .nothing, .number(1.5), .text("é\0")],
      ["nested": .table([.boolean(true)], [:]), "none": .boolean(false), "empty": .list([])])
    let bench = try Bench(answers: [[value]])
    _ = try bench.run("local v = pasteboard.paste() v[2] = false pasteboard.copy(v)")
    let expected: ScriptValue = .table(
      [.integer(-1), .boolean(false), .number(1.5), .text("é\0")],
      ["nested": .table([.boolean(true)], [:]), "none": .boolean(false), "empty": .list([])])
    #expect(bench.asked.last?.arguments == [expected])
  }

  @Test func `while a Lua coroutine waits for an answer, the code that resumed it waits`() throws {
    let bench = try Bench(answers: [[.text("one")], [.text("two")]])
    let found = try bench.run(
      """
      local co = coroutine.wrap(function(a)
        local inner = coroutine.create(function() return pasteboard.paste() end)
        local ok, text = coroutine.resume(inner)
        coroutine.yield(a .. text)
        return pasteboard.paste()
      end)
      return co('zero ') .. ' ' .. co()
      """)
    #expect(found.text == "zero one two")
  }

  @Test func `a Lua call within pcall may wait for its answer`() throws {
    let bench = try Bench(answers: [[.text("one")]])
    let found = try bench.run(
      "local ok, why = pcall(function() local t = pasteboard.paste() error(t, 0) end) return why")
    #expect(found.text == "one")
  }

  @Test(arguments: [
    "for _ in function() return wait() end do end",
    "return setmetatable({}, { __index = wait }).x",
    "return #setmetatable({}, { __len = wait })",
    "return setmetatable({}, { __add = wait }) + 1",
    "do local x <close> = setmetatable({}, { __close = wait }) end",
    "for _ in pairs(setmetatable({}, { __pairs = function() wait() return next, {} end })) do end",
  ])
  func `iterator functions and metamethods may wait for an answer`(script: String) throws {
    let bench = try Bench()
    _ = try bench.run("local function wait() pasteboard.paste() end\n" + script)
    #expect(bench.asked.map(\.function) == ["pasteboard.paste"])
  }

  @Test(arguments: [
    "table.sort({ 2, 1 }, wait)", "('a'):gsub('a', wait)", "tostring(sick)", "log(sick)",
    "('%s'):format(sick)", "for _ in ipairs(sick) do end", "table.concat(sick, '', 1, 1)",
    "table.insert(sick, 1)", "table.unpack(sick, 1, 1)", "('a'):gsub('a', sick)",
    "local co = coroutine.create(function() local x <close> = sick coroutine.yield() end) "
      + "coroutine.resume(co) error(select(2, coroutine.close(co)), 0)",
  ])
  func `callbacks of Lua's own functions cannot wait for an answer`(script: String) throws {
    let found = try Bench().run(
      """
      local function wait() pasteboard.paste() end
      local sick = setmetatable({}, {
        __index = wait, __newindex = wait, __tostring = wait, __close = wait,
      })
      local ok, why = pcall(function() \(script) end)
      return why
      """)
    #expect(
      found.text
        == "test.lua:1: nothing can wait in what a function of Lua's own calls: a comparison, a "
        + "replacement, an error handler, a metamethod")
  }

  @Test func `a running coroutine cannot resume itself with a forged answer`() throws {
    let bench = try Bench(answers: [[.text("answer")]])
    let found = try bench.run(
      """
      local inner
      inner = coroutine.create(function()
        log(coroutine.status(inner), coroutine.resume(inner, 'forged'))
        return pasteboard.paste()
      end)
      local _, text = coroutine.resume(inner)
      return text
      """)
    #expect(found.text == "answer")
    #expect(bench.log == ["running\tfalse\tcannot resume non-suspended coroutine"])
  }

  @Test func `calls inside accounts.within use the account of the innermost scope`() throws {
    let bench = try Bench()
    _ = try bench.run(
      """
      pasteboard.paste()
      accounts.within('anna', function()
        pasteboard.paste()
        accounts.within('', function() pasteboard.paste() end)
        accounts.within(nil, function() pasteboard.paste() end)
        coroutine.wrap(function() pasteboard.paste() end)()
        pcall(accounts.within, 'bob', function() pasteboard.paste() error('no') end)
        pasteboard.paste()
      end)
      pasteboard.paste()
      """)
    #expect(bench.asked.map(\.account) == [nil, "anna", "", nil, "anna", "bob", "anna", nil])
  }

  @Test func `a coroutine and the code that resumes it keep separate account scopes`() throws {
    let bench = try Bench()
    _ = try bench.run(
      """
      local co = coroutine.wrap(function()
        accounts.within('anna', function()
          pasteboard.paste()
          coroutine.yield()
          pasteboard.paste()
        end)
      end)
      accounts.within('bob', co)
      pasteboard.paste()
      co()
      log(accounts.thread())
      """)
    #expect(bench.asked.map(\.account) == ["anna", nil, "anna"])
    #expect(bench.log == ["nil"])
  }

  @Test func `accounts.within returns all results of its function`() throws {
    #expect(
      try Bench().run("return select('#', accounts.within('a', function() return 1, nil, 3 end))")
        == .integer(3))
  }

  @Test(arguments: [
    "accounts.within(1, print)", "accounts.within('a')", "share.loaded('no function')",
    "app.received(nil)",
  ])
  func `an invalid argument in a Lua call is an error with its position`(script: String) throws {
    let error = #expect(throws: ScriptError.self) { try Bench().run("\n" + script) }
    #expect(error?.description.hasPrefix("test.lua:2: ") == true)
  }

  @Test func `Lua callbacks receive the host's arguments and return an answer`() throws {
    let bench = try Bench()
    _ = try bench.run("app.provides(function(who) return { text = 'for ' .. who } end)")
    #expect(
      try bench.call(.provides, [.text("mail")]) == .record(["text": .text("for mail")]))
  }

  @Test(arguments: [
    (
      "share.sent()",
      "`share` has no `sent`: `cancel`, `complete`, `load`, `loaded`, `requested`"
    ),
    ("local go = url.Open", "`url` has no `Open`: `canOpen`, `open`"),
    ("url.close = log url.shut()", "`url` has no `shut`: `canOpen`, `close`, `open`"),
    ("return url[1]", "`url` has no `1`: `canOpen`, `open`"),
  ])
  func `an unknown function of a Lua table is an error that lists the known ones`(
    script: String, message: String
  ) throws {
    let error = #expect(throws: ScriptError.self) { try Bench().run("\n" + script) }
    #expect(error?.description == "test.lua:2: \(message) [script-error]")
  }

  @Test func `every declared script function and event is available as a Lua function`() throws {
    for name in ScriptFunction.all.map(\.name) + ScriptEvent.allCases.map(\.rawValue) {
      #expect(try Bench().run("return type(\(name))").text == "function", "\(name)")
    }
  }
}
