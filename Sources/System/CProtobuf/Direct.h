#pragma once
#include "Types.h"
#include <string_view>

namespace cprotobuf {

/* Writes a message as JSON text straight from its bytes, without an object for it. It stops at
   everything unusual, of which libprotobuf knows best what it means, and at every fault, which `check`
   or `write` then names: a text that it has written to the end is the one that `write` writes. It does
   not read past the end of a message, and costs no more items and memory than `check` allows. */
class DirectWriter {
public:
  explicit DirectWriter(std::string &text) : text_(text) {}

  bool write(const Type &type, const uint8_t *start, const uint8_t *end) {
    // What a message of many fields leaves is given back.
    if (ranges_.capacity() > kept_ranges) ranges_ = std::vector<Range>();
    ranges_.clear();
    keys_.clear();
    depth_ = 0;
    budget_ = Budget();
    return message(type, start, end);
  }

private:
  /* Where the values of a field are, from behind its first tag, and the wire type of the first. */
  struct Range {
    const uint8_t *start = nullptr;
    const uint8_t *end = nullptr;
    uint8_t wire = 0;
  };

  static constexpr size_t kept_ranges = 4096;

  /* A key of a map in the text. */
  struct Key {
    size_t start, count;
  };

  std::string &text_;
  /* The fields of the messages that are being written, and the keys of the maps. */
  std::vector<Range> ranges_;
  std::vector<Key> keys_;
  int depth_ = 0;
  Budget budget_;

  bool message(const Type &type, const uint8_t *start, const uint8_t *end);
  bool find(const Type &type, const uint8_t *next, const uint8_t *end, size_t base);
  bool object(const Type &type, const uint8_t *start, const uint8_t *end);
  void append_absent(const Field &field);
  bool value(const Field &field, const Range &range);
  bool list(const Field &field, const Range &range);
  bool map(const Field &field, const Range &range);
  bool append_key(const Field &key, const uint8_t *&next);
  bool is_new_key(size_t known, size_t start);
  bool single(const Field &field, const uint8_t *&next);
  bool moment(const Type &type, const uint8_t *next, const uint8_t *end);
  bool wrapper(const Type &type, const uint8_t *next, const uint8_t *end);
  bool spend(size_t memory);
  bool count_item();
  static std::string_view bytes(const uint8_t *&next);
};

} // namespace cprotobuf
