internal import Encodings
internal import GraphDocuments
import JSON
import Model

/// The values of single properties, whose JSON types have been checked.
extension PropertyReader {
  func flag(_ member: JSONValue.Member) -> Bool { member.value.bool ?? false }

  /// A number from 0 to 65535: the range that Graph documents for some properties, and far beyond that of others.
  func count(_ member: JSONValue.Member) throws(PolicyError) -> Int {
    let count = member.value.int ?? 0
    guard (0...65535).contains(count) else {
      throw failure(
        .outOfRange, member.value.position,
        "`\(count)` in `\(member.name)` lies outside 0 to 65535")
    }
    return count
  }

  func seconds(_ member: JSONValue.Member) -> Int {
    member.value.string.flatMap { ISODuration.seconds($0, .graph) } ?? 0
  }

  /// The version; nil for the empty string and for 0.0, which stand for no bound.
  mutating func version(_ member: JSONValue.Member) throws(PolicyError) -> Version? {
    let text = trimmed(member.value, "version")
    guard !text.isEmpty else { return nil }
    guard let version = Version(text) else {
      throw failure(
        .invalidVersion, member.value.position,
        "`\(text)` in `\(member.name)` is no version such as `17.0`")
    }
    return version == Version(0) ? nil : version
  }

  /// The action. `blockWhenSettingIsSupported` blocks: the simulated device supports every setting.
  func remediation(
    _ member: JSONValue.Member
  ) throws(PolicyError) -> Settings.Remediation {
    if member.value.string == "blockWhenSettingIsSupported" { return .block }
    return try choice(member)
  }

  /// The state; nil for a value that the export could not name.
  mutating func state(
    _ member: JSONValue.Member
  ) throws(PolicyError) -> Settings.ConfigurationState? {
    if isUnknownFutureValue(member.value, of: member) { return nil }
    return try choice(member)
  }

  /// Whether the value is Graph's answer to a client older than the value, of which it warns; the value itself is lost.
  mutating func isUnknownFutureValue(_ value: JSONValue, of member: JSONValue.Member) -> Bool {
    guard value.string == "unknownFutureValue" else { return false }
    warn(
      .unknownFutureValue, value.position,
      "`unknownFutureValue` in `\(member.name)` stands for a value that the export could not name, and "
        + "is ignored")
    return true
  }
}
