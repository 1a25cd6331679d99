internal import Encodings

/// A file in a language other than JSON, such as a script that contains a policy. Its kind is recognised for messages.
package struct ForeignText {
  /// The kind of file, with an article if the noun needs one.
  let noun: String
  /// The number of the line where embedded JSON begins; nil if the file contains none.
  private let jsonLine: Int?

  /// The error message about the file, for readers that expected JSON.
  package var message: String {
    let found = "the file is \(noun), not JSON"
    if let jsonLine {
      return found
        + "; the text that begins on line \(jsonLine) is JSON: save it as a separate file"
    }
    return found
      + "; export the policy from Microsoft Graph, or with a tool that writes Graph's JSON"
  }

  /// The maximum number of bytes that are read from the start of a file to recognise its kind.
  private static let limit = 1 << 20

  /// Recognises the kind of a file. Nil if the file may be JSON, even if malformed.
  package init?(_ bytes: [UInt8], file: String) {
    let text = String(decoding: bytes.prefix(Self.limit), as: UTF8.self)
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .map(\.trimmed)
    let first = lines.first { !$0.isEmpty } ?? ""
    let suffix = file.lowercased().split(separator: ".").last.map(String.init) ?? ""
    let mayBeJSON = first.first.map { "{[\"".contains($0) } ?? true
    guard !mayBeJSON || Self.languages[suffix] != nil else { return nil }
    let found =
      Self.container(of: bytes) ?? Self.language(of: lines, first) ?? Self.languages[suffix]
      ?? (first.first.map { "-0123456789tfn}],".contains($0) } ?? true ? nil : "text")
    guard let noun = found else { return nil }
    self.noun = noun
    jsonLine = Self.hereString(in: lines)
  }

  /// Returns whether the path has the file name extension of another tool's script or configuration, such as `ps1`.
  static func isScript(_ path: String) -> Bool {
    let parts = path.lowercased().split(separator: ".")
    return parts.count > 1 && parts.last.map { languages[String($0)] != nil } == true
  }

  private static let languages = [
    "bicep": bicep, "ps1": powerShell, "psd1": powerShell, "psm1": powerShell, "tf": terraform,
    "tfvars": terraform, "yaml": yaml, "yml": yaml,
  ]
  private static let bicep = "a Bicep file"
  private static let powerShell = "a PowerShell script"
  private static let terraform = "a Terraform configuration"
  private static let yaml = "YAML"

  /// Returns the kind of a binary file, for messages; nil if the file may be text.
  private static func container(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: Array("bplist".utf8)) { return "a binary property list" }
    let isDER = bytes.first == 0x30 && bytes.count > 1 && bytes[1] >= 0x80
    return isDER ? "a signed file, as a configuration profile may be" : nil
  }

  private static func language(of lines: [String], _ first: String) -> String? {
    if first.hasPrefix("<"), lines.contains(where: { $0.hasPrefix("<plist") }) {
      return lines.contains { $0.contains("<key>PayloadType</key>") }
        ? "a configuration profile" : "a property list"
    }
    if first.hasPrefix("<?xml") { return "XML" }
    if first.lowercased().hasPrefix("<!doctype") || first.hasPrefix("<html") {
      return "a web page"
    }
    if lines.contains(where: isDesiredState) { return "a Microsoft365DSC configuration" }
    if first.hasPrefix("<#") || lines.contains(where: isPowerShell) { return powerShell }
    if lines.contains(where: isTerraform) { return terraform }
    if lines.contains(where: { $0.hasPrefix("resource ") && $0.contains("' = {") }) {
      return bicep
    }
    if first == "---" || lines.count(where: isYAML) > 1 { return yaml }
    return nil
  }

  /// Returns whether the line looks like a resource of Microsoft365DSC: `IntuneAppProtectionPolicyiOS 'Name'`.
  private static func isDesiredState(_ line: String) -> Bool {
    if line.hasPrefix("Import-DscResource") { return true }
    guard let space = line.firstIndex(of: " ") else { return false }
    let isNamed = line[space...].trimmed.first.map { "'\"".contains($0) } ?? false
    let isResource = ["Intune", "AAD"].contains { line.hasPrefix($0) }
    return isNamed && isResource && line[..<space].allSatisfy { $0.isLetter || $0.isNumber }
  }

  private static func isPowerShell(_ line: String) -> Bool {
    if ["#requires", "param(", "param (", "function ", "[cmdletbinding"].contains(
      where: line.lowercased().hasPrefix)
    {
      return true
    }
    guard line.first == "$", let sign = line.firstIndex(of: "=") else { return false }
    return line[..<sign].dropFirst().trimmed.allSatisfy {
      $0.isLetter || $0.isNumber || "_:.".contains($0)
    }
  }

  private static func isTerraform(_ line: String) -> Bool {
    ["resource", "data", "provider", "variable", "module"].contains {
      line.hasPrefix("\($0) \"")
    } || line.hasPrefix("terraform {")
  }

  private static func isYAML(_ line: String) -> Bool {
    guard let colon = line.firstIndex(of: ":"), line.first != "#" else { return false }
    return !line[..<colon].isEmpty
      && line[..<colon].allSatisfy { $0.isLetter || $0.isNumber || "@._-\"' ".contains($0) }
  }

  /// Returns the number of the line on which JSON begins in a PowerShell here-string, that is, a text after `@"` or
  /// `@'`. Nil if there is none.
  private static func hereString(in lines: [String]) -> Int? {
    for (index, line) in lines.enumerated() where line.hasSuffix("@\"") || line.hasSuffix("@'") {
      let body = lines[(index + 1)...].prefix { !$0.hasPrefix("\"@") && !$0.hasPrefix("'@") }
      guard let start = body.firstIndex(where: { !$0.isEmpty }),
        let letter = lines[start].first, "{[".contains(letter)
      else { continue }
      return start + 1
    }
    return nil
  }
}
