internal import CMessages
internal import CProtobufC

/// What protobuf-c knows of the messages in `proto/`, for tests that everything there is covered.
package enum MessageDescriptors {
  /// The numbers of the fields that can be the body of a guest's message.
  package static var guestBodies: Set<Int> { bodies(of: sluice__guest_message__descriptor) }

  /// The numbers of the fields that can be the body of a message from the host.
  package static var hostBodies: Set<Int> { bodies(of: sluice__host_message__descriptor) }

  /// The numbers of the fields of which a message has one.
  private static func bodies(of descriptor: ProtobufCMessageDescriptor) -> Set<Int> {
    let fields = UnsafeBufferPointer(start: descriptor.fields, count: Int(descriptor.n_fields))
    let isInOneof = UInt32(PROTOBUF_C_FIELD_FLAG_ONEOF.rawValue)
    return Set(fields.filter { $0.flags & isInOneof != 0 }.map { Int($0.id) })
  }
}
