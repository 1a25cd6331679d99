internal import Model
internal import Wire

/// A share that waits for an answer, copied out of the frame that it came in.
struct StoredShare {
  let type: [UInt8]
  let name: [UInt8]
  let payload: [UInt8]
  let tag: OwnershipTag?
  /// The ruling on the share so far.
  let ruling: Ruling
  let pending: PendingRequest

  init(_ share: ShareFrame, _ ruling: Ruling, _ pending: PendingRequest) {
    type = Array(share.item.type)
    name = Array(share.item.name)
    payload = Array(share.item.payload)
    tag = share.item.tag
    self.ruling = ruling
    self.pending = pending
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

extension FrameBuffer.ItemParts {
  /// Calls `body` with the item and a copy of its payload that nobody else can alter.
  func copied(_ body: (FrameBuffer.ItemParts) -> Void) {
    Array(payload).withUnsafeBytes { copy in
      body(FrameBuffer.ItemParts(type: type, name: name, payload: copy))
    }
  }
}

extension ShareFrame {
  /// Calls `body` with the share and a copy of its payload that nobody else can alter.
  func copied(_ body: (ShareFrame) -> Void) {
    Array(item.payload).withUnsafeBytes { copy in
      let item = ItemFrame(type: item.type, name: item.name, payload: copy, tag: item.tag)
      body(
        ShareFrame(
          destination: destination, item: item, via: via, way: way, claimedSource: claimedSource,
          isPosted: isPosted))
    }
  }
}

extension Share {
  /// Calls `body` with the share as if it had just been decoded.
  func withFrame(_ body: (ShareFrame) -> Void) {
    Array(destination.utf8).withUnsafeBytes { destination in
      Array(claimedSource.utf8).withUnsafeBytes { claimedSource in
        item.withParts { parts in
          let item = ItemFrame(
            type: parts.type, name: parts.name, payload: parts.payload, tag: item.tag)
          body(
            ShareFrame(
              destination: destination, item: item, via: via, way: way,
              claimedSource: claimedSource, isPosted: isPosted))
        }
      }
    }
  }
}

extension Item {
  func withParts(_ body: (FrameBuffer.ItemParts) -> Void) {
    Array(type.utf8).withUnsafeBytes { type in
      Array((name ?? "").utf8).withUnsafeBytes { name in
        bytes.withUnsafeBytes { payload in
          body(FrameBuffer.ItemParts(type: type, name: name, payload: payload))
        }
      }
    }
  }
}
