import Testing

@testable import Scripting

/// Tests the functions and variables that scripts can access, and those that they cannot.
struct SandboxTests {
  @Test(arguments: [
    "io", "os", "package", "debug", "require", "load", "loadfile", "loadstring", "dofile",
    "collectgarbage", "string.dump", "_G.io", "warn",
  ])
  func `unsafe Lua library functions are absent from the sandbox`(name: String) throws {
    #expect(try Bench().run("return \(name)") == .nothing)
  }

  @Test func `text from print and log goes to the script's log`() throws {
    let bench = try Bench()
    _ = try bench.run("print('a', 1, nil, true) log('b')")
    #expect(bench.log == ["a\t1\tnil\ttrue", "b"])
  }

  @Test func `a script's log line longer than 4096 bytes is truncated`() throws {
    let bench = try Bench()
    _ = try bench.run("log(('x'):rep(10000))")
    #expect(bench.log.map(\.utf8.count) == [4096])
  }

  @Test func `random numbers, time, iteration order and addresses are deterministic`() throws {
    let script = """
      local words = {}
      for name in pairs({ gamma = 1, alpha = 2, beta = 3, [2] = 4, [true] = 5 }) do
        table.insert(words, tostring(name))
      end
      math.randomseed()
      return table.concat(words, ' ') .. ' | ' .. random(1000000) .. ' ' .. math.random(1000000)
        .. ' | ' .. device.now() .. ' ' .. device.date() .. ' | ' .. tostring({}) .. ' '
        .. string.format('%s', print)
      """
    let first = try Bench().run(script)
    #expect(try Bench().run(script) == first)
    let text = try #require(first.text)
    #expect(text.hasPrefix("2 alpha beta gamma true | "))
    #expect(text.hasSuffix(" | 1767225600 2026-01-01T00:00:00Z | table: 1 function: 2"))
  }

  @Test func `formatting an address in Lua is rejected`() throws {
    #expect(throws: ScriptError.self) { try Bench().run("string.format('%p', {})") }
  }

  @Test func `the metatable of strings is not accessible`() throws {
    #expect(try Bench().run("return getmetatable('')") == .boolean(false))
  }

  @Test func `Lua scripts share no state`() throws {
    let bench = try Bench()
    _ = try bench.run("string.rep, math.pi, log = nil, 3, nil")
    #expect(try Bench().run("return ('x'):rep(2) .. math.pi").text == "xx3.1415926535898")
  }

  @Test func `pairs skips keys that are removed and returns current values`() throws {
    let script = """
      local t, seen = { a = 1, b = 2, c = 3 }, {}
      for key, value in pairs(t) do
        table.insert(seen, key .. value)
        t.b, t.c = nil, 9
      end
      return table.concat(seen, ' ')
      """
    #expect(try Bench().run(script).text == "a1 c9")
  }

  @Test(arguments: [
    ("return ('hello world'):gsub('o', '0')", "hell0 w0rld"),
    ("return (('hello'):gsub('l', { l = 'L' }))", "heLLo"),
    ("return (('abc'):gsub('%w', '<%0%0>'))", "<aa><bb><cc>"),
    ("return (('hello world'):gsub('(%w+) (%w+)', '%2 %1'))", "world hello"),
    ("return (('abc'):gsub('', '-'))", "-a-b-c-"),
    ("return ('key = value'):match('^(%w+)%s*=%s*(%w+)$')", "key"),
    ("return ('THE (quick) fox'):match('%((%a+)%)')", "quick"),
    ("return ('f(a(b)c)d'):match('%b()')", "(a(b)c)"),
    ("return (('THE (quick) fox'):gsub('%f[%a]%a+', 'x'))", "x (x) x"),
    ("return ('2026-01-02'):match('^%d%d%d%d%-(%d+)%-%d+$')", "01"),
    ("return tostring(('a.b'):find('.', 1, true))", "2"),
    ("return tostring(('abc'):find('b', -1))", "nil"),
    ("return tostring(('abc'):match('()c'))", "3"),
    ("return ('x]y'):match('[]]')", "]"),
    ("return ('a-z'):match('[a%-]+')", "a-"),
    ("return ('aXb'):match('%u')", "X"),
    ("return ('say say'):match('(%a+) %1')", "say"),
    (
      "local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[#t + 1] = k .. v end "
        + "return table.concat(t, ' ')", "a1 b2"
    ),
    ("return table.concat({ 1, 2, 3 }, ', ', 2)", "2, 3"),
    ("local t = { 1, 2, 3 } table.insert(t, 2, 9) return table.concat(t, ' ')", "1 9 2 3"),
    ("local t = { 1, 2, 3 } return table.remove(t, 1) .. table.concat(t)", "123"),
    ("return table.concat(table.move({ 1, 2, 3 }, 1, 3, 2), ' ')", "1 1 2 3"),
    (
      "local t = { 3, 1, 2 } table.sort(t, function(a, b) return a > b end) "
        + "return table.concat(t)", "321"
    ),
    ("return ('ab'):rep(3, ',')", "ab,ab,ab"),
  ])
  func `the sandbox's replacements for library functions agree with Lua's own functions`(
    script: String, text: String
  ) throws {
    #expect(try Bench().run(script).text == text)
  }

  @Test(arguments: ["(", "[a", "%", "%b", "%f", "(()", "%1"])
  func `an invalid Lua pattern is an error`(pattern: String) throws {
    let found = try Bench().run("return (pcall(string.find, 'a', '\(pattern)'))")
    #expect(found == .boolean(false))
  }
}
