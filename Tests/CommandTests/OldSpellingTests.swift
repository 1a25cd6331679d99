import Encodings
import Foundation
import TestSupport
import Testing

extension RealProcesses {
  /// Tests the commands in `--help`, and command lines with the spellings of earlier releases
  /// (`OldSpellings.swift`).
  @Suite struct OldSpellingTests {
    /// A use of an old spelling.
    struct Use: CustomTestStringConvertible {
      /// The row of the table.
      let row: String
      let old: String
      let new: String
      /// The expected warning.
      let warning: String

      init(_ row: String, _ old: String, _ new: String, _ warning: String) {
        (self.row, self.old, self.new, self.warning) = (row, old, new, warning)
      }

      var testDescription: String { old }
    }

    /// Uses of each row. They exit early or print little. `kept` is an existing folder, which
    /// `--output-dir` rejects.
    private static let uses: [Use] =
      [
        Use(
          #"command("config", "app-config")"#, "config lint set.json --spec spec.json",
          "app-config lint set.json --spec spec.json", "`sluice config` is now `sluice app-config`"),
        Use(
          #"command("configuration", "app-config")"#, "configuration show policy.json",
          "app-config show policy.json", "`sluice configuration` is now `sluice app-config`"),
        Use(
          #"command("configuration", "app-config")"#, "help configuration show",
          "help app-config show", "`sluice configuration` is now `sluice app-config`"),
        Use(
          #"command("spec", "app-config spec")"#, "spec spec.json", "app-config spec spec.json",
          "`sluice spec` is now `sluice app-config spec`"),
        Use(
          #"option("app-config lint", "--against", "--spec")"#,
          "app-config lint set.json --against=spec.json",
          "app-config lint set.json --spec=spec.json",
          "`sluice app-config lint --against` is now `sluice app-config lint --spec`"),
        Use(
          #"argument("decide", of: "--policy", "-p")"#, "decide --policy policy.json",
          "decide policy.json", "`sluice decide --policy VALUE` is now `sluice decide VALUE`"),
        Use(
          #"argument("decide", of: "--policy", "-p")"#, "decide -p policy.json -p cut.json",
          "decide policy.json cut.json",
          "`sluice decide --policy VALUE` is now `sluice decide VALUE`"),
        Use(
          #"argument("explain", of: "--policy", "-p")"#,
          "explain --policy=policy.json --channel print", "explain policy.json --channel print",
          "`sluice explain --policy VALUE` is now `sluice explain VALUE`"),
        Use(
          #"argument("explain", of: "--policy", "-p")"#,
          "explain --channel print -p device-state",
          "explain transfer --channel print device-state",
          "`sluice explain --policy VALUE` is now `sluice explain VALUE`"),
        Use(
          #"flag("matrix", "--policies", "--compare")"#,
          "matrix --policies policy.json other.json --channel print",
          "matrix --compare policy.json other.json --channel print",
          "`sluice matrix --policies` is now `sluice matrix --compare`"),
        Use(
          #"value("leaks", of: "--scenario", unless: "--apps")"#,
          "leaks --behaviour honest world.yaml --witness ways.yaml",
          "leaks --behaviour honest --scenario world.yaml --witness ways.yaml",
          "`sluice leaks VALUE` is now `sluice leaks --scenario VALUE`"),
        Use(
          #"value("leaks", of: "--scenario", unless: "--apps")"#,
          "leaks --behaviour honest -- -world.yaml",
          "leaks --behaviour honest --scenario=-world.yaml",
          "`sluice leaks VALUE` is now `sluice leaks --scenario VALUE`"),
        Use(
          #"option("leaks", "--keep", "--preserve")"#, "leaks --scenario world.yaml --keep a:a",
          "leaks --scenario world.yaml --preserve a:a",
          "`sluice leaks --keep` is now `sluice leaks --preserve`"),
        Use(
          #"option("leaks", "--against", "--baseline")"#,
          "leaks --scenario world.yaml --against world.yaml",
          "leaks --scenario world.yaml --baseline world.yaml",
          "`sluice leaks --against` is now `sluice leaks --baseline`"),
        Use(
          #"option("criteria", "--only", "--filter")"#, "criteria --only SEND-99",
          "criteria --filter SEND-99", "`sluice criteria --only` is now `sluice criteria --filter`"),
      ]
      + ["criteria", "demo", "run passing.yaml", "up passing.yaml", "fleet run fleet.yaml"].map {
        renamed("--keep", "--output-dir", $0, "kept")
      }
      + [
        "criteria", "run passing.yaml", "replay journal.jsonl", "walk --seed 1",
        "leaks --scenario world.yaml --verify",
      ].map { renamed("--on", "--executor", $0, "kubernetes --shards 2 --print") }
      + [renamed("--on", "--executor", "fleet run fleet.yaml --output-dir kept", "local")]

    private static func renamed(_ old: String, _ new: String, _ line: String, _ rest: String) -> Use
    {
      let words = line.split(separator: " ")
      let command = words.prefix(words.first == "fleet" ? 2 : 1).joined(separator: " ")
      return Use(
        #"option("\#(command)", "\#(old)", "\#(new)")"#, "\(line) \(old) \(rest)",
        "\(line) \(new) \(rest)", "`sluice \(command) \(old)` is now `sluice \(command) \(new)`")
    }

    /// Returns the rows of the table in the source.
    private static func rows() throws -> Set<String> {
      let source = try Repository.read("Sources/Programs/sluice/OldSpellings.swift")
      var lines = source.split(separator: "\n").drop { !$0.contains("static let all:") }
      lines = lines.dropFirst().prefix { $0 != "  ]" }
      var rows: Set<String> = []
      for line in lines where !line.contains("//") {
        rows.insert(String(line.drop { $0 == " " || $0 == "." }.dropLast()))
      }
      return rows
    }

    @Test func `every old spelling has an example`() throws {
      #expect(try Self.rows() == Set(Self.uses.map(\.row)))
    }

    @Test func `every old spelling is documented`() throws {
      let entries = try Repository.read("CHANGELOG.md").components(separatedBy: "\n- ")
      let section = try #require(
        entries.first { $0.hasPrefix("One grammar for the command line") })
      for row in try Self.rows() {
        let words = row.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }
          .map { String($0.element) }
        let old =
          row.hasPrefix("option") || row.hasPrefix("flag") ? words.prefix(2) : words.prefix(1)
        for word in old { #expect(section.contains(word), "\(row)") }
        if !row.hasPrefix("argument"), let new = words.last(where: { $0 != "--apps" }) {
          #expect(section.contains(new), "\(row)")
        }
      }
    }

    @Test(arguments: uses)
    func `an old spelling works like the current spelling and causes a warning`(use: Use) throws {
      let (old, new) = (try answer(to: use.old), try answer(to: use.new))
      #expect(old.status == new.status)
      #expect(old.output == new.output)
      #expect(
        old.errors == "warning: \(use.warning); the old name works until 0.3\n" + new.errors)
      #expect(!new.errors.contains("Usage: "), "\(new.errors)")
    }

    private func answer(to line: String) throws -> Desk.Ended {
      let desk = try Desk()
      let other = Samples.policy.replacing(#""Base""#, with: #""Other""#)
      for (path, text) in [
        ("policy.json", Samples.policy), ("device-state", Samples.policy), ("other.json", other),
        ("cut.json", "{"), ("passing.yaml", Samples.passing), ("world.yaml", Samples.withPolicy),
        ("-world.yaml", Samples.withPolicy), ("set.json", "{}"), ("fleet.yaml", Self.fleet),
        ("spec.json", #"{ "type": "object", "properties": { "server": { "type": "string" } } }"#),
        ("journal.jsonl", ""),
      ] {
        try desk.folder.write(text, to: path)
      }
      try desk.folder.makeFolder("kept")
      return try desk.sluice(line: line)
    }

    private static let fleet = """
      links: { latency: PT1S }
      devices: { one: {}, two: {} }
      apps: { a: { bundle: org.example.a } }
      steps:
        - launch: a
          on: one

      """

    @Test func `each of several old spellings in a command line yields a warning`() throws {
      let desk = try Desk()
      let ended = try desk.sluice(
        line: "config lint set.json --against=nowhere.json", ends: 2)
      #expect(
        ended.errors.hasPrefix(
          """
          warning: `sluice config` is now `sluice app-config`; the old name works until 0.3
          warning: `sluice app-config lint --against` is now `sluice app-config lint --spec`; the old name works until 0.3
          nowhere.json:
          """), "\(ended.errors)")
    }

    @Test func `an old spelling after -- or in another command causes no warning`()
      throws
    {
      let desk = try Desk()
      for line in ["run -- --keep", "ctl spec --only", "policy show -- --on"] {
        #expect(try !desk.sluice(line: line).errors.contains("is now"))
      }
    }

    @Test func `sluice --help lists the commands in groups, newcomers' commands first`() throws {
      var help = try Desk().sluice("--help", ends: 0).output[...]
      for heading in [
        "START ", "demo", "new", "doctor", "ASK A POLICY ", "explain", "matrix", "leaks", "policy",
        "decide", "RUN SCENARIOS ", "run", "criteria", "walk", "merge", "fleet",
        "LOOK AT RESULTS ", "report", "view", "top", "flows", "replay", "export", "residue",
        "KEEP A DEVICE RUNNING ", "up", "ctl", "shell", "admin", "down", "device", "INSPECT APPS ",
        "bundle", "share-sheet", "app-config", "code",
      ] {
        let line = "\n" + (heading.hasSuffix(" ") ? heading : "  \(heading) ")
        let found = try #require(help.firstRange(of: line), "\(heading)")
        help = help[found.upperBound...]
      }
    }

    @Test func `sluice help texts do not contain old spellings`() throws {
      let desk = try Desk()
      let text = try desk.sluice("--experimental-dump-help", ends: 0).output
      let help = try JSONReader.read(text)
      let root = try #require(help["command"])
      for name in ["config", "configuration", "spec"] {
        let commands = root["subcommands"]?.array ?? []
        #expect(!commands.contains { $0["commandName"]?.string == name })
        #expect(!text.contains("sluice \(name)"))
      }
      for option in ["--keep", "--on", "--only", "--against", "--policies"] {
        let pattern = try Regex("(?:^|[^a-z\\-])\(option)(?:$|[^a-z\\-])")
        #expect(text.firstMatch(of: pattern) == nil, "\(option)")
        let name = try Regex(#""name"\s*:\s*"\#(option.dropFirst(2))""#)
        #expect(text.firstMatch(of: name) == nil, "\(option)")
      }
    }

    @Test(
      arguments: table(
        """
        policy spec
        => `sluice policy` has no command `spec`; did you mean `sluice app-config spec`?
        policy config
        => `sluice policy` has no command `config`; did you mean `sluice app-config`?
        configuratin show a.json
        => `sluice` has no command `configuratin`; did you mean `sluice app-config`?
        app-confg lint
        => `sluice` has no command `app-confg`; did you mean `sluice app-config`?
        """))
    func `the error about an old or misspelt command suggests the current command`(
      line: String, message: String
    ) throws {
      let ended = try Desk().sluice(line: line, ends: 64)
      #expect(ended.errors.hasPrefix("Error: \(message)\n"), "\(ended.errors)")
    }
  }
}
