internal import Transfer
internal import Wire

/// A share that waits for an answer, out of the frame that it came in.
struct StoredShare {
  let type: [UInt8]
  let name: [UInt8]
  let payload: [UInt8]
  let operation: Operation
  let ownership: Device.Ownership
  let origin: Origin

  init(_ share: ShareFrame, _ ownership: Device.Ownership, _ origin: Origin) {
    type = Array(share.item.type)
    name = Array(share.item.name)
    payload = Array(share.item.payload)
    operation = share.operation
    self.ownership = ownership
    self.origin = origin
  }

  func withParts(_ body: (FrameBuffer.ItemParts) -> Void) {
    type.withUnsafeBytes { type in
      name.withUnsafeBytes { name in
        payload.withUnsafeBytes { payload in
          body(FrameBuffer.ItemParts(type: type, name: name, payload: payload))
        }
      }
    }
  }
}

extension Item {
  func withParts(_ body: (FrameBuffer.ItemParts) -> Void) {
    switch payload {
    case .inline(let bytes):
      Array(type.utf8).withUnsafeBytes { type in
        Array((name ?? "").utf8).withUnsafeBytes { name in
          bytes.withUnsafeBytes { payload in
            body(FrameBuffer.ItemParts(type: type, name: name, payload: payload))
          }
        }
      }
    }
  }
}
