#include "Direct.h"
#include "Text.h"
#include <cstring>

namespace cprotobuf {

using FieldType = pb::FieldDescriptor;

/* A number whose bytes are known to be there. */
static inline uint64_t varint(const uint8_t *&next) {
  uint64_t result = *next & 0x7F;
  for (int shift = 7; *next++ >= 0x80; shift += 7) {
    if (shift < 64) result |= static_cast<uint64_t>(*next & 0x7F) << shift;
  }
  return result;
}

/* A number of at most so many bytes; false if it is longer or not whole. */
static inline bool read(const uint8_t *&next, const uint8_t *end, int limit, uint64_t &result) {
  const uint8_t *const start = next;
  result = 0;
  for (int shift = 0; next < end && next - start < limit; shift += 7) {
    const uint8_t byte = *next++;
    if (shift < 64) result |= static_cast<uint64_t>(byte & 0x7F) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

/* Numbers of fields and sizes are never longer, and other numbers neither. */
static constexpr int short_limit = 5, long_limit = 10;

template <class Number> static inline Number fixed(const uint8_t *&next) {
  Number number;
  std::memcpy(&number, next, sizeof number);
  next += sizeof number;
  return number;
}

static inline int64_t zigzag(uint64_t bits) {
  return static_cast<int64_t>(bits >> 1) ^ -static_cast<int64_t>(bits & 1);
}

/* Skips a value; false if it is not whole. */
static inline bool skip(uint8_t wire, const uint8_t *&next, const uint8_t *end) {
  uint64_t number;
  switch (wire) {
  case 0: return read(next, end, long_limit, number);
  case 1: number = 8; break;
  case 2:
    if (!read(next, end, short_limit, number)) return false;
    break;
  case 5: number = 4; break;
  default: return false;
  }
  if (number > static_cast<uint64_t>(end - next)) return false;
  next += number;
  return true;
}

bool DirectWriter::spend(size_t memory) {
  if (memory > budget_.memory) return false;
  budget_.memory -= memory;
  return true;
}

bool DirectWriter::count_item() {
  if (budget_.items == 0) return false;
  budget_.items--;
  return true;
}

bool DirectWriter::message(const Type &type, const uint8_t *start, const uint8_t *end) {
  if (!spend(type.weight)) return false;
  switch (type.special) {
  case Special::none: return object(type, start, end);
  case Special::timestamp:
  case Special::duration: return moment(type, start, end);
  case Special::wrapper: return wrapper(type, start, end);
  default: return false;
  }
}

/* Notes where the fields of a message are, whose values are whole. It is false for what needs more than
   that: a field that is there twice, of which libprotobuf takes the last or joins both, and wire types
   of other fields. */
bool DirectWriter::find(const Type &type, const uint8_t *next, const uint8_t *end, size_t base) {
  uint64_t choices = 0;
  const Field *last = nullptr;
  while (next < end) {
    uint64_t tag;
    if (!read(next, end, short_limit, tag) || tag >> 3 == 0 || tag > UINT32_MAX) return false;
    const auto wire = static_cast<uint8_t>(tag & 7);
    const Field *field = type.find(static_cast<uint32_t>(tag >> 3));
    if (field == nullptr) {
      last = nullptr;
      if (!spend(64) || !skip(wire, next, end)) return false;
      continue;
    }
    const bool is_packed = field->is_repeated && wire == 2 && field->wire != 2;
    if (wire != field->wire && !is_packed) return false;
    Range &range = ranges_[base + (field - type.fields.data())];
    if (range.start == nullptr) {
      if (field->choice >= 0) {
        if (field->choice >= 64 || (choices >> field->choice & 1) != 0) return false;
        choices |= uint64_t(1) << field->choice;
      }
      range.start = next;
      range.wire = wire;
    } else if (!field->is_repeated || last != field) {
      return false;
    }
    if (field->is_repeated && !is_packed && !count_item()) return false;
    if (!skip(wire, next, end)) return false;
    range.end = next;
    last = field;
  }
  return true;
}

bool DirectWriter::object(const Type &type, const uint8_t *start, const uint8_t *end) {
  if (depth_ == cprotobuf_depth_limit) return false;
  depth_++;
  const size_t base = ranges_.size();
  ranges_.resize(base + type.fields.size());
  if (!find(type, start, end, base)) return false;
  text_ += '{';
  const size_t first = text_.size();
  for (size_t index = 0; index < type.fields.size(); index++) {
    const Field &field = type.fields[index];
    const Range range = ranges_[base + index];
    if (range.start == nullptr && field.has_presence) continue;
    field.append_key(text_, text_.size() == first);
    if (range.start == nullptr) {
      append_absent(field);
    } else if (!value(field, range)) {
      return false;
    }
  }
  text_ += '}';
  ranges_.resize(base);
  depth_--;
  return text_.size() <= cprotobuf_text_limit;
}

/* What a field without presence is that is not there. */
void DirectWriter::append_absent(const Field &field) {
  if (field.is_repeated) {
    text_ += field.is_map ? "{}" : "[]";
    return;
  }
  switch (field.type) {
  case FieldType::TYPE_STRING:
  case FieldType::TYPE_BYTES: text_ += "\"\""; break;
  case FieldType::TYPE_BOOL: text_ += "false"; break;
  case FieldType::TYPE_ENUM:
    if (!append_enum(text_, field, 0)) text_ += '0';
    break;
  default: text_ += '0';
  }
}

bool DirectWriter::value(const Field &field, const Range &range) {
  const uint8_t *next = range.start;
  if (!field.is_repeated) return single(field, next);
  if (depth_ == cprotobuf_depth_limit) return false;
  depth_++;
  const bool is_written = field.is_map ? map(field, range) : list(field, range);
  depth_--;
  return is_written;
}

/* One field after the other, each with a tag between them, or with many items. */
bool DirectWriter::list(const Field &field, const Range &range) {
  text_ += '[';
  const size_t first = text_.size();
  const uint8_t *next = range.start;
  uint8_t wire = range.wire;
  while (true) {
    if (wire == field.wire) {
      if (text_.size() > first) text_ += ',';
      if (!single(field, next)) return false;
    } else {
      const uint64_t size = varint(next);
      const uint8_t *const end = next + size;
      while (next < end) {
        const uint8_t *item = next;
        if (!count_item() || !skip(field.wire, item, end)) return false;
        if (text_.size() > first) text_ += ',';
        if (!single(field, next)) return false;
      }
    }
    if (next >= range.end) break;
    wire = static_cast<uint8_t>(varint(next) & 7);
  }
  text_ += ']';
  return true;
}

/* An entry has a key and a value, once each: libprotobuf does what is to be done for others. */
bool DirectWriter::map(const Field &field, const Range &range) {
  const Field &key = *field.child->find(1);
  const Field &content = *field.child->find(2);
  const size_t known = keys_.size();
  text_ += '{';
  const uint8_t *next = range.start;
  while (true) {
    const uint64_t size = varint(next);
    const uint8_t *const end = next + size;
    if (!spend(field.child->weight) || next == end || *next != (8 | key.wire)) return false;
    const uint8_t *behind = ++next;
    if (!skip(key.wire, behind, end)) return false;
    if (keys_.size() > known) text_ += ',';
    const size_t start = text_.size();
    if (!append_key(key, next) || !is_new_key(known, start)) return false;
    text_ += ':';
    if (next == end || *next != (16 | content.wire)) return false;
    behind = ++next;
    if (!skip(content.wire, behind, end)) return false;
    if (!single(content, next) || next != end) return false;
    if (next >= range.end) break;
    varint(next);
  }
  text_ += '}';
  keys_.resize(known);
  return true;
}

bool DirectWriter::append_key(const Field &key, const uint8_t *&next) {
  if (key.type == FieldType::TYPE_STRING) return single(key, next);
  text_ += '"';
  if (!single(key, next)) return false;
  text_ += '"';
  return true;
}

/* Few keys are compared with each other; of many, and of a key that is there twice, libprotobuf finds
   the last. */
bool DirectWriter::is_new_key(size_t known, size_t start) {
  constexpr size_t limit = 32;
  const size_t count = text_.size() - start;
  if (keys_.size() - known == limit) return false;
  for (size_t index = known; index < keys_.size(); index++) {
    const Key &other = keys_[index];
    if (other.count == count &&
        std::memcmp(text_.data() + other.start, text_.data() + start, count) == 0) {
      return false;
    }
  }
  keys_.push_back({start, count});
  return true;
}

bool DirectWriter::single(const Field &field, const uint8_t *&next) {
  switch (field.type) {
  case FieldType::TYPE_INT32: append_number(text_, static_cast<int32_t>(varint(next))); break;
  case FieldType::TYPE_INT64: append_number(text_, static_cast<int64_t>(varint(next))); break;
  case FieldType::TYPE_UINT32: append_number(text_, static_cast<uint32_t>(varint(next))); break;
  case FieldType::TYPE_UINT64: append_number(text_, varint(next)); break;
  case FieldType::TYPE_SINT32:
    append_number(text_, static_cast<int32_t>(zigzag(static_cast<uint32_t>(varint(next)))));
    break;
  case FieldType::TYPE_SINT64: append_number(text_, zigzag(varint(next))); break;
  case FieldType::TYPE_FIXED32: append_number(text_, fixed<uint32_t>(next)); break;
  case FieldType::TYPE_FIXED64: append_number(text_, fixed<uint64_t>(next)); break;
  case FieldType::TYPE_SFIXED32: append_number(text_, fixed<int32_t>(next)); break;
  case FieldType::TYPE_SFIXED64: append_number(text_, fixed<int64_t>(next)); break;
  case FieldType::TYPE_FLOAT: append_number(text_, fixed<float>(next)); break;
  case FieldType::TYPE_DOUBLE: append_number(text_, fixed<double>(next)); break;
  case FieldType::TYPE_BOOL: text_ += varint(next) != 0 ? "true" : "false"; break;
  // Of an enumeration of proto2, numbers without a name count as not there.
  case FieldType::TYPE_ENUM: return append_enum(text_, field, static_cast<int32_t>(varint(next)));
  case FieldType::TYPE_STRING: {
    const auto content = bytes(next);
    if (!is_utf8(reinterpret_cast<const uint8_t *>(content.data()), next)) return false;
    append_string(text_, content);
    break;
  }
  case FieldType::TYPE_BYTES: append_base64(text_, bytes(next)); break;
  case FieldType::TYPE_MESSAGE: {
    const auto content = bytes(next);
    const auto *start = reinterpret_cast<const uint8_t *>(content.data());
    return message(*field.child, start, start + content.size());
  }
  default: return false;
  }
  return text_.size() <= cprotobuf_text_limit;
}

std::string_view DirectWriter::bytes(const uint8_t *&next) {
  const uint64_t size = varint(next);
  const std::string_view content(reinterpret_cast<const char *>(next), size);
  next += size;
  return content;
}

/* Seconds and nanoseconds, of a point in time or of a duration. */
bool DirectWriter::moment(const Type &type, const uint8_t *next, const uint8_t *end) {
  int64_t seconds = 0, nanos = 0;
  uint8_t last = 0;
  while (next < end) {
    // Each once, in order.
    const uint8_t tag = *next++;
    uint64_t number;
    if ((tag != 8 && tag != 16) || tag <= last || !read(next, end, long_limit, number)) return false;
    (tag == 8 ? seconds : nanos) = static_cast<int64_t>(number);
    last = tag;
  }
  if (type.special == Special::timestamp) {
    append_timestamp(text_, seconds, static_cast<int32_t>(nanos));
  } else {
    append_duration(text_, seconds, static_cast<int32_t>(nanos));
  }
  return true;
}

bool DirectWriter::wrapper(const Type &type, const uint8_t *next, const uint8_t *end) {
  const Field &field = type.fields[0];
  if (next == end) {
    append_absent(field);
    return true;
  }
  if (*next++ != (8 | field.wire)) return false;
  const uint8_t *behind = next;
  return skip(field.wire, behind, end) && behind == end && single(field, next);
}

} // namespace cprotobuf
