#pragma once
#include <microhttpd.h>

// Swift cannot call variadic functions: these wrappers set the options that are used.

// Starts a daemon with its own thread on a listening socket. It serves at most `connections`
// clients at a time, with `memory` bytes each, and drops those that are silent for `timeout`
// seconds; it calls `connection` for each of them. Null when it could not be started.
static inline struct MHD_Daemon *mhd_start(
    int socket, unsigned int connections, unsigned int timeout, size_t memory,
    MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connection, void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
      MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, connection, context,
      MHD_OPTION_END);
}

// The socket of a connection; -1 when it has none.
static inline int mhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

// A response whose body is copied.
static inline struct MHD_Response *mhd_response(size_t size, const void *body) {
  return MHD_create_response_from_buffer(size, (void *)body, MHD_RESPMEM_MUST_COPY);
}
