#pragma once
#include <curl/curl.h>

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
