/// The words in a key's name, and what they suggest about its value.
struct KeyWords {
  /// The words in lower case: `apiKey`, `API_KEY` and `api-key` are `api` and `key`.
  private let words: [String]

  init(_ key: String) {
    var words: [String] = []
    var word = ""
    var previous: Character?
    let characters = Array(key)
    for (place, character) in characters.enumerated() {
      let next = place + 1 < characters.count ? characters[place + 1] : nil
      let isBoundary =
        character.isUppercase
        && (previous?.isUppercase == false || next?.isLowercase == true)
      if isBoundary || !character.isLetter {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if character.isLetter { word += character.lowercased() }
      previous = character
    }
    if !word.isEmpty { words.append(word) }
    self.words = words
  }

  private static let secrets: Set<String> = [
    "password", "passwd", "passphrase", "passcode", "pwd", "secret", "token", "credential",
    "credentials", "license", "licence", "apikey", "privatekey",
  ]

  private static let keys: Set<String> = ["api", "private", "access", "signing", "encryption"]

  /// The last words by which a name is not that of a secret, but of something about it.
  private static let harmless: Set<String> = [
    "url", "uri", "server", "host", "endpoint", "hint", "label", "title", "text", "policy",
    "identifier", "id", "name", "type", "length", "lifetime", "expiry", "required", "agreement",
  ]

  /// Whether a text of this name is a password, a token, a licence or the like.
  var areOfSecret: Bool {
    if let last = words.last, Self.harmless.contains(last) { return false }
    if words.contains(where: Self.secrets.contains) { return true }
    return zip(words, words.dropFirst()).contains { Self.keys.contains($0) && $1 == "key" }
  }

  private static let managed: Set<String> = ["managed", "management", "mdm", "enterprise"]

  private static let beside: Set<String> = [
    "is", "app", "mode", "enabled", "enable", "use", "by", "device", "under",
  ]

  /// Whether a boolean of this name is one switch for being managed at all.
  var areOfManagedSwitch: Bool {
    words.contains(where: Self.managed.contains)
      && words.allSatisfy { Self.managed.contains($0) || Self.beside.contains($0) }
  }
}
