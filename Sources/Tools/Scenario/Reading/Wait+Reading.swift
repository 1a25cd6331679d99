internal import Encodings

extension Action.Wait {
  enum Key: String, CaseIterable {
    case received
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    if case .mapping = value.kind {
      let fields = try Fields<Key>(value, "a wait")
      self = .item(try Action.ExpectedItem(fields.required(.received), names))
      return
    }
    let text = try value.text()
    if text == "idle" {
      self = .idle
    } else if let seconds = ISODuration.seconds(text), (1...Self.longest).contains(seconds) {
      self = .duration(seconds: seconds)
    } else {
      throw value.mistake(
        .invalidValue,
        "`wait` must be `idle`, real time from `PT1S` to `PT\(Self.longest)S`, or "
          + "`{ received: { app: … } }`, found `\(text)`"
          + (ISODuration.seconds(text).map { $0 > Self.longest } == true
            ? "; the device's own clock runs on by `advance`" : ""))
    }
  }
}

extension Action.ExpectedItem {
  enum Key: String, CaseIterable {
    case app, text, type, from
  }

  init(_ value: YAMLValue, _ names: Names) throws(Mistake) {
    let fields = try Fields<Key>(value, "an item to wait for")
    self.init(
      guest: try names.guest(fields.required(.app)), text: try fields[.text]?.text(),
      type: try fields[.type]?.text(), sender: try fields[.from].map(names.destination))
  }
}
