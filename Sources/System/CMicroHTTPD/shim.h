#pragma once
#include <microhttpd.h>
#include <netinet/in.h>
#include <string.h>

// Swift cannot call variadic functions: these wrappers set the options that are used.

// Decodes the percent signs of a path or a value, except where a zero byte would cut it short.
static inline size_t mhd_unescape(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strstr(text, "%00") == NULL ? MHD_http_unescape(text) : strlen(text);
}

// How strictly a daemon reads requests. Since 0.9.77.1 there is an option with levels, of which 2
// refuses what RFC 9112 lets a server refuse, such as a bare LF; its number is given because older
// headers do not have it.
static inline enum MHD_OPTION mhd_strictness(void) {
  unsigned int major = 0, minor = 0, patch = 0;
  const char *text = MHD_get_version();
  for (; *text >= '0' && *text <= '9'; text++) major = major * 10 + (unsigned)(*text - '0');
  if (*text == '.') text++;
  for (; *text >= '0' && *text <= '9'; text++) minor = minor * 10 + (unsigned)(*text - '0');
  if (*text == '.') text++;
  for (; *text >= '0' && *text <= '9'; text++) patch = patch * 10 + (unsigned)(*text - '0');
  return major > 0 || minor > 9 || (minor == 9 && patch > 77)
             ? (enum MHD_OPTION)38
             : MHD_OPTION_STRICT_FOR_CLIENT;
}

// True for a library with those levels, which refuses zero bytes and folded lines itself.
static inline int mhd_is_strict(void) {
  return mhd_strictness() != MHD_OPTION_STRICT_FOR_CLIENT;
}

// Starts a daemon with its own thread on a listening socket. It serves at most `connections`
// clients at a time, with `memory` bytes each, and drops those that are silent for `timeout`
// seconds; it calls `connection` for each of them, and `target` at the first line of each request,
// whose result is the request's own pointer. Null when it could not be started.
static inline struct MHD_Daemon *mhd_start(
    int socket, unsigned int connections, unsigned int timeout, size_t memory,
    MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed,
    MHD_NotifyConnectionCallback connection,
    void *(*target)(void *context, const char *target, struct MHD_Connection *connection),
    void *context) {
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, handler, context,
      MHD_OPTION_LISTEN_SOCKET, socket,
      MHD_OPTION_CONNECTION_LIMIT, connections,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory,
      MHD_OPTION_UNESCAPE_CALLBACK, mhd_unescape, NULL,
      mhd_strictness(), mhd_is_strict() ? 2 : 1,
      MHD_OPTION_URI_LOG_CALLBACK, target, context,
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

// Copies the address of a client, of at most 16 bytes, and returns its length; 0 for a Unix domain
// socket.
static inline size_t mhd_address(struct MHD_Connection *connection, unsigned char *address) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  if (info == NULL || info->client_addr == NULL) return 0;
  if (info->client_addr->sa_family == AF_INET) {
    memcpy(address, &((const struct sockaddr_in *)info->client_addr)->sin_addr, 4);
    return 4;
  }
  if (info->client_addr->sa_family != AF_INET6) return 0;
  memcpy(address, &((const struct sockaddr_in6 *)info->client_addr)->sin6_addr, 16);
  return 16;
}

// The size of the request line and the header fields as they were received.
static inline long mhd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : (long)info->header_size;
}

static inline long mhd_length(const char *text) { return (long)strlen(text); }

// A response whose body is copied.
static inline struct MHD_Response *mhd_response(size_t size, const void *body) {
  return MHD_create_response_from_buffer(size, (void *)body, MHD_RESPMEM_MUST_COPY);
}
