#include "Text.h"
#include "Types.h"

namespace cprotobuf {

namespace {

class Check {
public:
  Check(const uint8_t *base, Budget &budget, Fault &fault)
      : base_(base), budget_(budget), fault_(fault) {}

  /* Reads fields until the end, or until the end of the group with a number; NULL after a fault. */
  const uint8_t *message(const Type *type, const uint8_t *start, const uint8_t *end, int depth,
                         uint32_t group) {
    if (depth > cprotobuf_message_depth_limit) {
      return fail(start, "messages are nested deeper than " +
                             std::to_string(cprotobuf_message_depth_limit) + " levels");
    }
    if (!spend(type == nullptr ? 64 : type->weight)) return fail_memory(start);
    const uint8_t *next = start;
    while (next < end) {
      const uint8_t *const tag_start = next;
      uint64_t tag;
      next = varint(next, end, tag);
      if (next == nullptr) return nullptr;
      if (next - tag_start > short_limit) return fail_length(tag_start);
      const uint64_t number = tag >> 3;
      if (number == 0 || tag > UINT32_MAX) {
        return fail(tag_start, "there is no field " + std::to_string(number));
      }
      if ((tag & 7) == 4) {
        if (number == group) return next;
        return fail(tag_start, "a group ends that has not begun");
      }
      const Field *field = type == nullptr ? nullptr : type->find(number);
      next = value(field, static_cast<uint8_t>(tag & 7), number, next, end, depth);
      if (next == nullptr) {
        if (field != nullptr) name(*field, start, tag_start, end);
        return nullptr;
      }
    }
    return group == 0 ? next : fail(end, "the record ends within a group");
  }

private:
  const uint8_t *base_;
  Budget &budget_;
  Fault &fault_;

  const uint8_t *fail(const uint8_t *at, const std::string &message) {
    fault_.is_set = true;
    fault_.message = message;
    fault_.byte = base_ == nullptr ? -1 : at - base_;
    return nullptr;
  }

  /* Numbers of fields and sizes are never longer, also if that changes nothing about them. */
  static constexpr int short_limit = 5;

  const uint8_t *fail_length(const uint8_t *at) {
    return fail(at, "the number of a field or a size has more than " + std::to_string(short_limit) +
                        " bytes");
  }

  const uint8_t *fail_memory(const uint8_t *at) {
    fault_.is_too_large = true;
    return fail(at, "it takes more than " + std::to_string(cprotobuf_memory_limit) +
                        " bytes of memory");
  }

  bool spend(size_t bytes) {
    if (bytes > budget_.memory) return false;
    budget_.memory -= bytes;
    return true;
  }

  const uint8_t *varint(const uint8_t *next, const uint8_t *end, uint64_t &result) {
    const uint8_t *const start = next;
    result = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (next == end) return fail(end, "the record ends too early");
      const uint8_t byte = *next++;
      if (shift < 64) result |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if (byte < 0x80) return next;
    }
    return fail(start, "a number has more than 64 bits");
  }

  const uint8_t *value(const Field *field, uint8_t wire, uint32_t number, const uint8_t *next,
                       const uint8_t *end, int depth) {
    const bool fits = field != nullptr && field->wire == wire;
    if (!fits && wire != 2 && !spend(64)) return fail_memory(next);
    if (fits && field->is_repeated && !item()) return fail_items(next);
    uint64_t number_value;
    switch (wire) {
    case 0: return varint(next, end, number_value);
    case 1: return bytes(8, next, end);
    case 5: return bytes(4, next, end);
    case 2: return sized(fits ? field : nullptr, field, next, end, depth);
    case 3: return message(fits ? field->child : nullptr, next, end, depth + 1, number);
    default: return fail(next - 1, "there is no wire type " + std::to_string(wire));
    }
  }

  const uint8_t *bytes(size_t count, const uint8_t *next, const uint8_t *end) {
    return count <= static_cast<size_t>(end - next) ? next + count
                                                    : fail(end, "the record ends too early");
  }

  /* What begins with its size; `other` is the field if it may be packed. */
  const uint8_t *sized(const Field *field, const Field *other, const uint8_t *next,
                       const uint8_t *end, int depth) {
    const uint8_t *const start = next;
    uint64_t size;
    next = varint(next, end, size);
    if (next == nullptr) return nullptr;
    if (next - start > short_limit && size <= UINT32_MAX) return fail_length(start);
    if (size > static_cast<uint64_t>(end - next)) {
      return fail(start, "it has " + std::to_string(size) + " bytes, but " +
                             std::to_string(end - next) + " are left");
    }
    const uint8_t *const last = next + size;
    if (field == nullptr) {
      if (other != nullptr && other->is_repeated && other->wire != 3) {
        return packed(other->wire, next, last);
      }
      return spend(64) ? last : fail_memory(start);
    }
    switch (field->type) {
    case pb::FieldDescriptor::TYPE_MESSAGE: return message(field->child, next, last, depth + 1, 0);
    case pb::FieldDescriptor::TYPE_STRING:
      return is_utf8(next, last) ? last : fail(start, "the string is not valid UTF-8");
    default: return last;
    }
  }

  const uint8_t *packed(uint8_t wire, const uint8_t *next, const uint8_t *end) {
    uint64_t ignored;
    while (next != nullptr && next < end) {
      if (!item()) return fail_items(next);
      next = wire == 0 ? varint(next, end, ignored) : bytes(wire == 1 ? 8 : 4, next, end);
    }
    return next;
  }

  bool item() {
    if (budget_.items == 0) return false;
    budget_.items--;
    return true;
  }

  const uint8_t *fail_items(const uint8_t *at) {
    return fail(at, "more than " + std::to_string(cprotobuf_item_limit) + " items");
  }

  /* Puts a field in front of the path of a fault; which item it is, the bytes before it say. */
  void name(const Field &field, const uint8_t *start, const uint8_t *tag_start, const uint8_t *end) {
    std::string path = field.descriptor->name();
    if (field.is_repeated) {
      path += "[" + std::to_string(count(field.number, start, tag_start, end)) + "]";
    }
    if (!fault_.path.empty()) path += "." + fault_.path;
    fault_.path = path;
  }

  /* How often a field is before a byte, in a message that is valid up to there. */
  static size_t count(uint32_t number, const uint8_t *next, const uint8_t *last, const uint8_t *end) {
    Fault ignored;
    Budget budget;
    Check check(nullptr, budget, ignored);
    size_t found = 0;
    while (next != nullptr && next < last) {
      uint64_t tag;
      next = check.varint(next, end, tag);
      if (next == nullptr) break;
      if (tag >> 3 == number) found++;
      next = check.value(nullptr, tag & 7, static_cast<uint32_t>(tag >> 3), next, end, 0);
    }
    return found;
  }
};

} // namespace

bool check(const Type *type, const uint8_t *base, const uint8_t *start, const uint8_t *end, int depth,
           Budget &budget, Fault &fault) {
  return Check(base, budget, fault).message(type, start, end, depth, 0) != nullptr;
}

} // namespace cprotobuf
