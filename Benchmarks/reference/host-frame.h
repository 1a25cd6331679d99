#pragma once

#include "buffer.h"
#include "sluice.pb-c.h"

// Appends `message` with its frame header.
void host_frame_append(struct buffer *buffer, const Sluice__HostMessage *message);

// Appends `message` like host_frame_append, but without first computing its size, which takes a
// fifth of the routing's instructions. `room` must be at least that size.
void host_frame_append_within(struct buffer *buffer, const Sluice__HostMessage *message, size_t room);

// Appends the answer to a Hello with the supported version.
void host_frame_append_welcome(struct buffer *buffer, uint64_t request, char *guest, char *app,
                               uint32_t frame_limit);

void host_frame_append_rejected(struct buffer *buffer, uint64_t request, char *reason);

void host_frame_append_stop(struct buffer *buffer);
