#pragma once
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

// The version of the library that is loaded.
static inline const char *curl_loaded_version(void) {
  return curl_version_info(CURLVERSION_NOW)->version;
}

// Swift cannot call variadic functions: these wrappers set the options that are used.

// Reads a response body to its end and keeps nothing of it.
static inline size_t curl_discard(char *data, size_t size, size_t count, void *context) {
  (void)data;
  (void)context;
  return size * count;
}

// Makes a handle send POST requests: HTTP and HTTPS only, without redirects, signals or output.
// `headers` must outlive the handle; times are in milliseconds.
static inline CURLcode curl_prepare_post(
    CURL *handle, const char *url, const char *agent, struct curl_slist *headers,
    long connect_timeout, long timeout) {
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075500
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#endif
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, curl_discard);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, connect_timeout);
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, timeout);
  curl_easy_setopt(handle, CURLOPT_USERAGENT, agent);
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
  curl_easy_setopt(handle, CURLOPT_POST, 1L);
  return curl_easy_setopt(handle, CURLOPT_URL, url);
}

// Sets the body of the next request, which is not copied.
static inline void curl_set_body(CURL *handle, const void *body, size_t size) {
  curl_easy_setopt(handle, CURLOPT_POSTFIELDS, (const char *)body);
  curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)size);
}

// The status of the last response; 0 when there was none.
static inline long curl_status(CURL *handle) {
  long status = 0;
  curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

// `Retry-After` of the last response in seconds; 0 when it had none.
static inline long long curl_retry_after(CURL *handle) {
  curl_off_t seconds = 0;
  curl_easy_getinfo(handle, CURLINFO_RETRY_AFTER, &seconds);
  return seconds;
}

// A response body in memory that grows up to a limit; what does not fit is left out and noted.
struct curl_body {
  unsigned char *bytes;
  size_t count;
  size_t capacity;
  size_t limit;
  int is_cut;
};

static inline size_t curl_keep(char *data, size_t size, size_t count, void *context) {
  struct curl_body *body = (struct curl_body *)context;
  size_t added = size * count;
  if (added > body->limit - body->count) {
    body->is_cut = 1;
    return 0;
  }
  if (added > body->capacity - body->count) {
    size_t wanted = (body->count + added) * 2;
    unsigned char *larger = (unsigned char *)realloc(body->bytes, wanted);
    if (larger == NULL) return 0;
    body->bytes = larger;
    body->capacity = wanted;
  }
  memcpy(body->bytes + body->count, data, added);
  body->count += added;
  return added;
}

// Makes a handle send GET requests and keep the bodies of responses: HTTP and HTTPS only, without
// redirects, signals or output. `headers` and `body` must outlive the handle; times are in
// milliseconds, and strings may be NULL.
static inline CURLcode curl_prepare_get(
    CURL *handle, const char *agent, struct curl_slist *headers, struct curl_body *body,
    long connect_timeout, long timeout) {
  curl_prepare_post(handle, "", agent, headers, connect_timeout, timeout);
  curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, body);
  return curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, curl_keep);
}

// Sets how a handle authenticates, and which certificate authorities it trusts.
static inline void curl_authenticate(
    CURL *handle, const char *user, const char *password, const char *ca_file,
    const char *certificate, const char *key) {
  if (user != NULL) {
    curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
    curl_easy_setopt(handle, CURLOPT_USERNAME, user);
    curl_easy_setopt(handle, CURLOPT_PASSWORD, password == NULL ? "" : password);
  }
  if (ca_file != NULL) curl_easy_setopt(handle, CURLOPT_CAINFO, ca_file);
  // Files are read for each new connection, so that those that were replaced are noticed.
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(handle, CURLOPT_CA_CACHE_TIMEOUT, 0L);
#endif
  if (certificate != NULL) curl_easy_setopt(handle, CURLOPT_SSLCERT, certificate);
  if (key != NULL) curl_easy_setopt(handle, CURLOPT_SSLKEY, key);
}

// Sets the address of the next request, and empties the body.
static inline CURLcode curl_begin_get(CURL *handle, const char *url, struct curl_body *body) {
  body->count = 0;
  body->is_cut = 0;
  return curl_easy_setopt(handle, CURLOPT_URL, url);
}

// Makes the next request of a handle a POST of a body, which is not copied.
static inline void curl_begin_post(CURL *handle, const void *body, size_t size) {
  curl_easy_setopt(handle, CURLOPT_POST, 1L);
  curl_set_body(handle, body, size);
}

// Makes the requests of a handle GET again.
static inline void curl_end_post(CURL *handle) {
  curl_set_body(handle, NULL, 0);
  curl_easy_setopt(handle, CURLOPT_HTTPGET, 1L);
}

// Makes the next request of a handle a PUT without a body.
static inline void curl_begin_put(CURL *handle) {
  curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, "PUT");
  curl_begin_post(handle, "", 0);
}

// Makes the requests of a handle GET again.
static inline void curl_end_put(CURL *handle) {
  curl_easy_setopt(handle, CURLOPT_CUSTOMREQUEST, (char *)NULL);
  curl_end_post(handle);
}

// Makes a handle connect to each host itself, whatever the environment says of proxies.
static inline void curl_use_no_proxy(CURL *handle) { curl_easy_setopt(handle, CURLOPT_NOPROXY, "*"); }
