internal import GraphDocuments
import JSON
import Model

/// The properties that hold several values, and their elements.
extension PropertyReader {
  /// The services in the list; an unknown one is an error.
  mutating func services<Service: RawRepresentable<String> & CaseIterable & Hashable>(
    _ member: JSONValue.Member
  ) throws(PolicyError) -> Set<Service> {
    var services: Set<Service> = []
    for element in member.value.array ?? [] where !isUnknownFutureValue(element, of: member) {
      services.insert(try choice(element, of: member))
    }
    return services
  }

  /// The links in the order of the file. A text that is no web link is kept: it matches nothing.
  mutating func links(_ member: JSONValue.Member) -> [LinkPattern] {
    var links: [LinkPattern] = []
    for element in member.value.array ?? [] {
      let text = trimmed(element, "link")
      guard !text.isEmpty else { continue }
      let start = text.prefix(8).lowercased()
      if !start.hasPrefix("http://"), !start.hasPrefix("https://") {
        warn(
          .notALink, element.position,
          "`\(text)` in `\(member.name)` does not begin with `http://` or `https://` and matches no "
            + "link")
      } else if text.split(separator: "//", maxSplits: 1).last?.first == "." {
        warn(
          .notALink, element.position,
          "the host of `\(text)` in `\(member.name)` begins with a dot, as no host does, and matches no "
            + "link; write `*.` for every subdomain")
      }
      links.append(LinkPattern(text))
    }
    return links
  }

  /// The model identifiers between semicolons, in lower case; nil where there is none.
  func models(_ member: JSONValue.Member) -> Set<String>? {
    let names = (member.value.string ?? "").split(separator: ";").map { $0.trimmed.lowercased() }
    let models = Set(names).subtracting([""])
    return models.isEmpty ? nil : models
  }

  /// The schemes of `exemptedAppProtocols`: pairs of a name and a value that lists schemes, separated by
  /// semicolons. Names have no meaning.
  mutating func schemes(
    _ member: JSONValue.Member
  ) throws(PolicyError) -> Set<String> {
    var schemes: Set<String> = []
    for pair in member.value.array ?? [] {
      guard let text = pair["value"], !text.isNull else { continue }
      guard let list = text.string else { throw file.mismatch("`value` must be a string", text) }
      for part in list.split(separator: ";") {
        let scheme = scheme(JSONValue(.string(String(part)), at: text.position))
        if !scheme.isEmpty { schemes.insert(scheme) }
      }
    }
    return schemes
  }

  /// One scheme, in lower case and without white space around it. Graph's own examples end in a colon: `skype:`.
  mutating func scheme(_ value: JSONValue) -> String {
    var trimmed = trimmed(value, "scheme")
    if trimmed.last == ":" { trimmed.removeLast() }
    if !trimmed.isEmpty, !URLScheme.isValid(trimmed) {
      warn(.notAScheme, value.position, "`\(trimmed)` is no URL scheme and matches no URL")
    }
    return trimmed.lowercased()
  }
}
