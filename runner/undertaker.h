// SPDX-License-Identifier: Apache-2.0
// A process that outlives this one by a moment, ends the process groups it started, and removes the
// folders that it worked in. A child
// dies with its parent by a signal of the kernel's, but what that child was just starting does
// not: bubblewrap, killed between two steps of its own, leaves a process that waits for ever.
#pragma once

#include <sys/types.h>

namespace lockstep {

// Starts the undertaker, once in a process; gives the socket to tell it by, or -1 where there is
// none. Closed on exec.
int undertaker_socket();

// Both only make system calls, so a child may use them between fork and exec.
void undertaker_watch(int socket, pid_t group);
void undertaker_forget(int socket, pid_t group);

// Of a folder by its whole path, shorter than PATH_MAX.
void undertaker_watch_folder(int socket, const char* path);
void undertaker_forget_folder(int socket, const char* path);

}  // namespace lockstep
