#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace cprotobuf {

/* True for well-formed UTF-8. */
bool is_utf8(const uint8_t *byte, const uint8_t *end);

/* Appends a JSON string; the content is valid UTF-8. */
void append_string(std::string &text, std::string_view content);

/* Appends bytes as a string in Base64. */
void append_base64(std::string &text, std::string_view bytes);

/* Appends the bytes that a text in Base64 stands for; false if it is not one, as no `.proto` file is. */
bool from_base64(std::string_view text, std::string &bytes);

/* Appends a number with all its digits. */
void append_number(std::string &text, int32_t number);
void append_number(std::string &text, int64_t number);
void append_number(std::string &text, uint32_t number);
void append_number(std::string &text, uint64_t number);

/* Appends the shortest digits that give the same number; null for what JSON has no number for. */
void append_number(std::string &text, float number);
void append_number(std::string &text, double number);

/* Appends a time as RFC 3339 has it, with as many digits as it needs; null where it has none. */
void append_timestamp(std::string &text, int64_t seconds, int32_t nanos);

/* Appends seconds; null for what is not a duration. */
void append_duration(std::string &text, int64_t seconds, int32_t nanos);

} // namespace cprotobuf
