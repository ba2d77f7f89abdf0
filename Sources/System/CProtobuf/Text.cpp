#include "Text.h"
#include <charconv>
#include <cmath>
#include <cstring>

namespace cprotobuf {

/* True when none of eight bytes is escaped in JSON: a control character, `"` or `\`. */
static bool is_plain(uint64_t word) {
  constexpr uint64_t ones = 0x0101010101010101u, highs = 0x8080808080808080u;
  const uint64_t quotes = word ^ ones * '"', slashes = word ^ ones * '\\';
  const uint64_t found = (word - ones * 0x20) | (quotes - ones) | (slashes - ones);
  // Bytes from 0x80 on are part of a character; those that they hide are looked at one by one.
  return ((found | word) & highs) == 0;
}

bool is_utf8(const uint8_t *byte, const uint8_t *end) {
  constexpr uint64_t highs = 0x8080808080808080u;
  const uint8_t *const start = byte;
  while (byte < end) {
    uint64_t word;
    while (end - byte >= 8 && (std::memcpy(&word, byte, 8), (word & highs) == 0)) byte += 8;
    if (byte == end) return true;
    // The last few bytes, together with some before them.
    if (end - byte < 8 && end - start >= 8 && (std::memcpy(&word, end - 8, 8), (word & highs) == 0)) {
      return true;
    }
    const uint8_t first = *byte;
    if (first < 0x80) {
      byte++;
      continue;
    }
    const int more = first < 0xC2 ? -1 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : first < 0xF5 ? 3 : -1;
    if (more < 0 || end - byte <= more) return false;
    for (int index = 1; index <= more; index++) {
      if ((byte[index] & 0xC0) != 0x80) return false;
    }
    // Overlong forms, surrogates, and what is behind U+10FFFF.
    if (first == 0xE0 && byte[1] < 0xA0) return false;
    if (first == 0xED && byte[1] > 0x9F) return false;
    if (first == 0xF0 && byte[1] < 0x90) return false;
    if (first == 0xF4 && byte[1] > 0x8F) return false;
    byte += more + 1;
  }
  return true;
}

void append_string(std::string &text, std::string_view content) {
  static const char *const digits = "0123456789abcdef";
  text += '"';
  const char *start = content.data();
  const char *const end = start + content.size();
  for (const char *next = start; next < end; next++) {
    uint64_t word;
    while (end - next >= 8 && (std::memcpy(&word, next, 8), is_plain(word))) next += 8;
    if (next == end) break;
    // The last few bytes, together with some before them.
    if (end - next < 8 && content.size() >= 8 && (std::memcpy(&word, end - 8, 8), is_plain(word))) break;
    const auto byte = static_cast<unsigned char>(*next);
    if (byte >= 0x20 && byte != '"' && byte != '\\') continue;
    text.append(start, next - start);
    start = next + 1;
    text += '\\';
    switch (byte) {
    case '"': case '\\': text += *next; break;
    case '\n': text += 'n'; break;
    case '\r': text += 'r'; break;
    case '\t': text += 't'; break;
    case '\b': text += 'b'; break;
    case '\f': text += 'f'; break;
    default:
      text += "u00";
      text += digits[byte >> 4];
      text += digits[byte & 15];
    }
  }
  text.append(start, end - start);
  text += '"';
}

void append_base64(std::string &text, std::string_view bytes) {
  static const char *const letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  text += '"';
  for (size_t start = 0; start < bytes.size(); start += 3) {
    const size_t count = bytes.size() - start < 3 ? bytes.size() - start : 3;
    uint32_t group = 0;
    for (size_t index = 0; index < 3; index++) {
      group = group << 8 | (index < count ? static_cast<unsigned char>(bytes[start + index]) : 0);
    }
    for (size_t index = 0; index < 4; index++) {
      text += index > count ? '=' : letters[group >> (18 - 6 * index) & 63];
    }
  }
  text += '"';
}

bool from_base64(std::string_view text, std::string &bytes) {
  const size_t count = text.size();
  if (count == 0 || count % 4 != 0) return false;
  const size_t padding = text[count - 1] != '=' ? 0 : text[count - 2] != '=' ? 1 : 2;
  uint32_t group = 0;
  bytes.reserve(count / 4 * 3);
  for (size_t index = 0; index < count; index++) {
    const char letter = text[index];
    const int value = letter >= 'A' && letter <= 'Z'   ? letter - 'A'
                      : letter >= 'a' && letter <= 'z' ? letter - 'a' + 26
                      : letter >= '0' && letter <= '9' ? letter - '0' + 52
                      : letter == '+'                  ? 62
                      : letter == '/'                  ? 63
                      : index >= count - padding       ? 0
                                                       : -1;
    if (value < 0) return false;
    group = group << 6 | static_cast<uint32_t>(value);
    if (index % 4 != 3) continue;
    for (const int shift : {16, 8, 0}) bytes += static_cast<char>(group >> shift & 0xFF);
    group = 0;
  }
  bytes.resize(bytes.size() - padding);
  return true;
}

template <class Number> static void append_integer(std::string &text, Number number) {
  char buffer[24];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr);
}

void append_number(std::string &text, int32_t number) { append_integer(text, number); }
void append_number(std::string &text, int64_t number) { append_integer(text, number); }
void append_number(std::string &text, uint32_t number) { append_integer(text, number); }
void append_number(std::string &text, uint64_t number) { append_integer(text, number); }

/* Digits with the point where the exponent says, without an exponent. */
static void append_plain(std::string &text, const std::string &digits, int exponent) {
  if (exponent < 0) {
    text += "0.";
    text.append(-exponent - 1, '0');
    text += digits;
    return;
  }
  const size_t whole = exponent + 1;
  text.append(digits, 0, whole);
  if (digits.size() < whole) text.append(whole - digits.size(), '0');
  if (digits.size() > whole) {
    text += '.';
    text.append(digits, whole);
  }
}

/* The shortest digits; numbers that people write without an exponent get none. */
template <class Number> static void append_real(std::string &text, Number number) {
  if (!std::isfinite(number)) {
    text += "null";
    return;
  }
  char buffer[64];
  const auto form = std::chars_format::scientific;
  const char *const end = std::to_chars(buffer, buffer + sizeof buffer, number, form).ptr;
  const char *next = buffer;
  if (*next == '-') text += *next++;
  std::string digits;
  const char *const start = next;
  for (; *next != 'e'; next++) {
    if (*next != '.') digits += *next;
  }
  int exponent = 0;
  std::from_chars(next + (next[1] == '+' ? 2 : 1), end, exponent);
  if (exponent >= -5 && exponent < 17) {
    append_plain(text, digits, exponent);
  } else {
    text.append(start, end);
  }
}

void append_number(std::string &text, float number) { append_real(text, number); }
void append_number(std::string &text, double number) { append_real(text, number); }

/* Writes so many digits of a number, with zeros in front, and returns where they end. */
static char *put_digits(char *place, uint64_t number, int count) {
  for (int index = count - 1; index >= 0; index--) {
    place[index] = static_cast<char>('0' + number % 10);
    number /= 10;
  }
  return place + count;
}

/* The same for two digits, with a character in front of them. */
static char *put_two(char *place, char front, int64_t number) {
  place[0] = front;
  place[1] = static_cast<char>('0' + number / 10);
  place[2] = static_cast<char>('0' + number % 10);
  return place + 3;
}

void append_timestamp(std::string &text, int64_t seconds, int32_t nanos) {
  // From the year 1 to the year 9999.
  if (seconds < -62135596800 || seconds > 253402300799 || nanos < 0 || nanos > 999999999) {
    text += "null";
    return;
  }
  // Days since 0000-03-01, in eras of 400 years, so that leap days end years.
  const int64_t days = (seconds + 62167219200) / 86400 - 60;
  const int64_t rest = (seconds + 62167219200) % 86400;
  const int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const int64_t day = days - era * 146097;
  const int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  const int64_t day_of_year = day - (365 * year + year / 4 - year / 100);
  const int64_t month = (5 * day_of_year + 2) / 153;
  char buffer[40] = {'"'};
  char *next = put_digits(buffer + 1, year + era * 400 + (month >= 10 ? 1 : 0), 4);
  next = put_two(next, '-', month < 10 ? month + 3 : month - 9);
  next = put_two(next, '-', day_of_year - (153 * month + 2) / 5 + 1);
  next = put_two(next, 'T', rest / 3600);
  next = put_two(next, ':', rest / 60 % 60);
  next = put_two(next, ':', rest % 60);
  if (nanos != 0) {
    const int count = nanos % 1000000 == 0 ? 3 : nanos % 1000 == 0 ? 6 : 9;
    *next++ = '.';
    next = put_digits(next, count == 3 ? nanos / 1000000 : count == 6 ? nanos / 1000 : nanos, count);
  }
  *next++ = 'Z';
  *next++ = '"';
  text.append(buffer, next - buffer);
}

void append_duration(std::string &text, int64_t seconds, int32_t nanos) {
  const bool is_out = seconds < -315576000000 || seconds > 315576000000 || nanos < -999999999 ||
                      nanos > 999999999;
  if (is_out || (seconds < 0 && nanos > 0) || (seconds > 0 && nanos < 0)) {
    text += "null";
    return;
  }
  if (seconds < 0 || nanos < 0) text += '-';
  append_integer(text, seconds < 0 ? -seconds : seconds);
  if (nanos == 0) return;
  char digits[9];
  put_digits(digits, nanos < 0 ? -nanos : nanos, 9);
  text += '.';
  text.append(digits, sizeof digits);
  while (text.back() == '0') text.pop_back();
}

} // namespace cprotobuf
