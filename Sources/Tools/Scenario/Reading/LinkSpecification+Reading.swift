extension LinkSpecification {
  enum Key: String, CaseIterable {
    case latency
  }

  /// Reads the way between devices; nil is one that takes no time.
  init(_ value: YAMLValue?) throws(Mistake) {
    self.init()
    guard let value else { return }
    let fields = try Fields<Key>(value, "the key `links`")
    latency = try Action.Advance.seconds(fields.required(.latency))
  }
}
