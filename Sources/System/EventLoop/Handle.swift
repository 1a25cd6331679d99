internal import CUV

/// An object that a loop watches: a pipe, a process, a timer, a signal.
///
/// libuv owns a handle's memory until its close callback, whatever happens to the object that represents
/// it. The memory is therefore on the heap and as old as the object, and libuv's pointer keeps the object until that
/// callback has run.
public class Handle {
  let loop: EventLoop
  let memory: UnsafeMutableRawPointer
  /// Whether ``close()`` has been called.
  public private(set) var isClosing = false

  init(_ type: uv_handle_type, on loop: EventLoop) {
    self.loop = loop
    memory = .allocate(byteCount: uv_handle_size(type), alignment: 16)
  }

  deinit { memory.deallocate() }

  var raw: UnsafeMutablePointer<uv_handle_t> { cuv_handle(memory) }

  /// The object that represents a handle which libuv passes to a callback.
  static func of(_ raw: UnsafeMutableRawPointer?) -> Handle {
    guard let data = raw.flatMap({ cuv_handle($0).pointee.data }) else {
      preconditionFailure("libuv called back for a handle that was never set up")
    }
    let handle = Unmanaged<Handle>.fromOpaque(data).takeUnretainedValue()
    handle.loop.callbackCount &+= 1
    return handle
  }

  /// Takes note that libuv knows the handle: from here on only ``close()`` frees it.
  func adopt() {
    raw.pointee.data = Unmanaged.passRetained(self).toOpaque()
    loop.didAdopt()
  }

  /// Stops watching. Idempotent; no callback of this handle runs afterwards.
  public func close() {
    guard !isClosing else { return }
    isClosing = true
    willClose()
    uv_close(raw) { Handle.of($0).didClose() }
  }

  /// Releases callbacks, which often hold the owner of this handle.
  func willClose() {}

  /// Called when libuv has released the handle.
  func didClose() {
    loop.didRelease()
    Unmanaged.passUnretained(self).release()
  }
}
