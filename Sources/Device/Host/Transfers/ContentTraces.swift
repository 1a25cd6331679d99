internal import Cryptography

/// The content that apps were handed, by fingerprints under a key that nobody else has and that lasts as long as the
/// device is up: an app that hands it on without its tag, whole or in part, is found out.
///
/// Of each text the fingerprints of some pieces of ``pieceCount`` bytes are kept: of ``window`` neighbouring ones the
/// least (winnowing). So a part of `pieceCount + window - 1` bytes is found wherever it stands. Shorter content is found
/// as a whole, from ``leastCount`` bytes on.
final class ContentTraces {
  static let leastCount = 8
  static let pieceCount = 32
  static let window = 16
  /// Bytes of an item that are looked at.
  static let mostBytes = 1 << 20
  /// Fingerprints that are kept; what apps are handed then leaves none.
  private static let limit = 1 << 20
  /// Items that are named as sources of one.
  private static let mostSources = 8

  /// The prime 2^61 - 1, by which fingerprints are taken.
  private static let prime: UInt64 = (1 << 61) - 1
  private let base: UInt64
  /// The power of the base that belongs to the first byte of a piece.
  private let first: UInt64
  /// The items of each fingerprint, the first and the last ones, by the app that has them.
  private var items: [String: [UInt64: [Int]]] = [:]
  /// Items that are kept of a fingerprint: one that came first is not forgotten for those that come later.
  private static let mostItems = 4
  private var count = 0

  init() {
    let random = randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    base = 257 + random % (Self.prime - 1024)
    var power: UInt64 = 1
    for _ in 1..<Self.pieceCount { power = Self.product(power, base) }
    first = power
  }

  /// Notes what an app was handed by the request `number`.
  func handed(_ content: UnsafeRawBufferPointer, _ number: Int, to app: String) {
    guard count < Self.limit else { return }
    var known = items.removeValue(forKey: app) ?? [:]
    let before = known.count
    for fingerprint in fingerprints(content) {
      var numbers = known[fingerprint] ?? []
      if numbers.count == Self.mostItems { numbers.removeLast() }
      numbers.append(number)
      known[fingerprint] = numbers
    }
    count += known.count - before
    items[app] = known
  }

  /// The items that an app was handed and that have content in common with this, those with most of it first.
  func sources(of content: UnsafeRawBufferPointer, from app: String) -> [Int] {
    guard let known = items[app] else { return [] }
    var shared: [Int: Int] = [:]
    for fingerprint in fingerprints(content) {
      for item in known[fingerprint] ?? [] { shared[item, default: 0] += 1 }
    }
    let found = shared.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    return found.prefix(Self.mostSources).map(\.key)
  }

  // MARK: fingerprints

  private func fingerprints(_ content: UnsafeRawBufferPointer) -> Set<UInt64> {
    let bytes = UnsafeRawBufferPointer(rebasing: content.prefix(Self.mostBytes))
    guard bytes.count >= Self.leastCount else { return [] }
    guard bytes.count > Self.pieceCount else { return [hash(bytes)] }
    var hashes: [UInt64] = [hash(UnsafeRawBufferPointer(rebasing: bytes.prefix(Self.pieceCount)))]
    hashes.reserveCapacity(bytes.count - Self.pieceCount + 1)
    for end in Self.pieceCount..<bytes.count {
      let out = Self.product(UInt64(bytes[end - Self.pieceCount]) + 1, first)
      let rest = (hashes[hashes.count - 1] + Self.prime - out) % Self.prime
      hashes.append((Self.product(rest, base) + UInt64(bytes[end]) + 1) % Self.prime)
    }
    return Self.winnowed(hashes)
  }

  /// The least of each run of ``window`` neighbours.
  private static func winnowed(_ hashes: [UInt64]) -> Set<UInt64> {
    var chosen: Set<UInt64> = []
    // The places of what may still be a least one, in rising order of both.
    var rising: [Int] = []
    var start = 0
    for place in hashes.indices {
      while rising.count > start, hashes[rising[rising.count - 1]] >= hashes[place] {
        rising.removeLast()
      }
      rising.append(place)
      if rising[start] + window <= place { start += 1 }
      if place >= window - 1 || place == hashes.count - 1 { chosen.insert(hashes[rising[start]]) }
    }
    return chosen
  }

  private func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash: UInt64 = 0
    for byte in bytes { hash = (Self.product(hash, base) + UInt64(byte) + 1) % Self.prime }
    return hash
  }

  private static func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let (high, low) = left.multipliedFullWidth(by: right)
    let sum = (low & prime) + (low >> 61 | high << 3)
    return sum >= prime ? sum - prime : sum
  }
}
