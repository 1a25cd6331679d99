#include "host-frame.h"

#include "frame.h"

void host_frame_append(struct buffer *buffer, const Sluice__HostMessage *message) {
  host_frame_append_within(buffer, message, sluice__host_message__get_packed_size(message));
}

void host_frame_append_within(struct buffer *buffer, const Sluice__HostMessage *message, size_t room) {
  uint8_t *frame = buffer_reserve(buffer, FRAME_HEADER + room);
  size_t length = sluice__host_message__pack(message, frame + FRAME_HEADER);
  frame_set_length(frame, (uint32_t)length);
  buffer->length += FRAME_HEADER + length;
}

void host_frame_append_welcome(struct buffer *buffer, uint64_t request, char *guest, char *app,
                               uint32_t frame_limit) {
  Sluice__Welcome welcome = SLUICE__WELCOME__INIT;
  welcome.transport = TRANSPORT_VERSION;
  welcome.application = APPLICATION_VERSION;
  welcome.guest = guest;
  welcome.app = app;
  welcome.device = "reference";
  welcome.frame_limit = frame_limit;
  Sluice__HostMessage message = SLUICE__HOST_MESSAGE__INIT;
  message.request = request;
  message.body_case = SLUICE__HOST_MESSAGE__BODY_WELCOME;
  message.welcome = &welcome;
  host_frame_append(buffer, &message);
}

void host_frame_append_rejected(struct buffer *buffer, uint64_t request, char *reason) {
  Sluice__Rejected rejected = SLUICE__REJECTED__INIT;
  rejected.reason = reason;
  Sluice__HostMessage message = SLUICE__HOST_MESSAGE__INIT;
  message.request = request;
  message.body_case = SLUICE__HOST_MESSAGE__BODY_REJECTED;
  message.rejected = &rejected;
  host_frame_append(buffer, &message);
}

void host_frame_append_stop(struct buffer *buffer) {
  Sluice__Stop stop = SLUICE__STOP__INIT;
  Sluice__HostMessage message = SLUICE__HOST_MESSAGE__INIT;
  message.body_case = SLUICE__HOST_MESSAGE__BODY_STOP;
  message.stop = &stop;
  host_frame_append(buffer, &message);
}
