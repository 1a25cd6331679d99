internal import CMessages
internal import CProtobufC

extension Arena {
  func release(_ offset: Int) -> UnsafeMutablePointer<Sluice__Release> {
    message(sluice__release__init) { $0.offset = UInt64(offset) }
  }

  func fillMemory(_ raw: inout Sluice__HostMessage, _ body: HostMessage.Body) {
    switch body {
    case .sharedMemory(let use, let count):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_SHARED_MEMORY
      raw.shared_memory = message(sluice__shared_memory__init) {
        $0.use = Sluice__SharedMemory__Use(rawValue: use.rawValue)
        $0.size = UInt64(count)
      }
    case .release(let offset):
      raw.body_case = SLUICE__HOST_MESSAGE__BODY_RELEASE
      raw.release = release(offset)
    default: preconditionFailure("not about memory")
    }
  }
}

extension HostMessage.Body {
  /// - Throws: ``WireError`` for a use that this version does not know.
  static func sharedMemory(_ raw: Sluice__SharedMemory) throws(WireError) -> Self {
    guard let use = SharedMemoryUse(rawValue: UInt32(raw.use.rawValue)) else {
      throw .emptyMessage
    }
    return .sharedMemory(use, count: Int(clamping: raw.size))
  }
}
