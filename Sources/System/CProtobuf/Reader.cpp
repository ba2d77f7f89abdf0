#include "Direct.h"
#include "Types.h"
#include <exception>
#include <new>

namespace pb = google::protobuf;

struct cprotobuf_reader {
  /* The first block is kept from record to record. */
  std::unique_ptr<char[]> block{new char[block_size]};
  pb::Arena arena{block.get(), block_size};
  std::string text;
  cprotobuf::Fault fault;
  cprotobuf::DirectWriter direct{text};
  bool is_direct = true;

  static constexpr size_t block_size = 16 << 10;
  /* What a large record leaves is given back. */
  static constexpr size_t kept_text = 256 << 10;

  bool fail(const char *message, bool is_too_large = false) {
    fault.is_set = true;
    fault.is_too_large = is_too_large;
    fault.message = message;
    return false;
  }

  bool read(const cprotobuf_schema &schema, int32_t place, const uint8_t *bytes, size_t start,
            size_t count) {
    if (text.capacity() > kept_text) text = std::string();
    text.clear();
    fault = cprotobuf::Fault();
    if (place < 0 || static_cast<size_t>(place) >= schema.messages.size() || start > count) {
      return fail("there is no such message");
    }
    if (count > cprotobuf_record_limit) return fail("the record has more than 4 MiB", true);
    const auto *type = schema.messages[place];
    if (type == nullptr || type->prototype == nullptr) return fail("there is no such message");
    if (is_direct && direct.write(*type, bytes + start, bytes + count)) return true;
    text.clear();
    cprotobuf::Budget budget;
    if (!cprotobuf::check(type, bytes, bytes + start, bytes + count, 0, budget, fault)) return false;
    auto *message = type->prototype->New(&arena);
    // It is new: `Parse…` would clear it first.
    if (!message->ParseFrom<pb::MessageLite::kMergePartial>(pb::StringPiece(
            reinterpret_cast<const char *>(bytes + start), count - start))) {
      return fail("the record is not valid");
    }
    return cprotobuf::write(type, *message, schema.table, arena, budget, text, fault);
  }
};

cprotobuf_reader *cprotobuf_reader_open(bool is_direct) try {
  auto *reader = new cprotobuf_reader;
  reader->is_direct = is_direct;
  return reader;
} catch (...) {
  return nullptr;
}

void cprotobuf_reader_close(cprotobuf_reader *reader) { delete reader; }

bool cprotobuf_read(cprotobuf_reader *reader, const cprotobuf_schema *schema, int32_t message,
                    const uint8_t *bytes, size_t start, size_t count) try {
  bool is_read = false;
  try {
    is_read = reader->read(*schema, message, bytes, start, count);
  } catch (const std::exception &error) {
    reader->fail("libprotobuf does not read it");
  }
  reader->arena.Reset();
  return is_read;
} catch (...) {
  return false;
}

const char *cprotobuf_text(const cprotobuf_reader *reader, size_t *count) {
  *count = reader->text.size();
  return reader->text.data();
}

const char *cprotobuf_fault(const cprotobuf_reader *reader, const char **path, int64_t *byte,
                            bool *is_too_large) {
  *path = reader->fault.path.c_str();
  *byte = reader->fault.byte;
  *is_too_large = reader->fault.is_too_large;
  return reader->fault.message.c_str();
}
