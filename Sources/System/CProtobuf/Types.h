#pragma once
#include "CProtobuf.h"
#include <google/protobuf/arena.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/message.h>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace cprotobuf {

namespace pb = google::protobuf;

struct Type;

/* A field: its name as it stands in JSON text, `,"name":`, and what it contains. */
struct Field {
  const pb::FieldDescriptor *descriptor;
  const Type *child = nullptr;
  std::string key;
  uint32_t number;
  pb::FieldDescriptor::Type type;
  bool is_repeated, is_map, has_presence;
  /* True for the enumeration of Google's that stands for null. */
  bool is_null;
  /* Which `oneof` of its message it is in; -1 for none. */
  int choice;
  /* The wire type of a single value. */
  uint8_t wire;

  explicit Field(const pb::FieldDescriptor *field);

  /* Appends its name, with a comma in front unless it is the first. */
  void append_key(std::string &text, bool is_first) const {
    const size_t comma = is_first ? 1 : 0;
    text.append(key.data() + comma, key.size() - comma);
  }
};

/* Messages of libprotobuf's own files that JSON has another form for. */
enum class Special : uint8_t { none, any, timestamp, duration, structure, value, list, wrapper };

/* A message. */
struct Type {
  const pb::Descriptor *descriptor;
  /* What new messages are made of; NULL for the entry of a map. */
  const pb::Message *prototype = nullptr;
  Special special = Special::none;
  std::vector<Field> fields;
  /* The places of fields, by their numbers if those are small. */
  std::vector<int32_t> dense;
  std::unordered_map<uint32_t, int32_t> sparse;
  /* About how many bytes an empty one takes. */
  size_t weight = 64;

  const Field *find(uint32_t number) const {
    if (number < dense.size()) {
      const int32_t place = dense[number];
      return place < 0 ? nullptr : &fields[place];
    }
    if (sparse.empty()) return nullptr;
    const auto found = sparse.find(number);
    return found == sparse.end() ? nullptr : &fields[found->second];
  }
};

/* Messages by their descriptors; those of libprotobuf's own files are shared by all schemas. */
class TypeTable {
public:
  explicit TypeTable(const TypeTable *shared) : shared_(shared) {}

  /* Adds the messages of a file, and those in them. */
  void add(const pb::FileDescriptor *file);

  /* Connects fields with what they contain, and prepares messages. */
  void link(pb::DynamicMessageFactory &factory);
  /* The same on the stack of this thread. */
  void link_here(pb::DynamicMessageFactory &factory);

  const Type *find(const pb::Descriptor *descriptor) const;
  const Type *find(const std::string &full_name) const;

  /* The messages of libprotobuf's own files that JSON has another form for. */
  static const TypeTable &of_library();

private:
  void add(const pb::Descriptor *descriptor);

  const TypeTable *shared_;
  std::vector<std::unique_ptr<Type>> types_;
  std::unordered_map<const pb::Descriptor *, Type *> by_descriptor_;
  std::unordered_map<std::string, const Type *> by_name_;
};

/* Why a record cannot be read. */
struct Fault {
  bool is_set = false;
  bool is_too_large = false;
  int64_t byte = -1;
  std::string message;
  std::string path;
};

/* What one record may still cost. */
struct Budget {
  size_t items = cprotobuf_item_limit;
  size_t memory = cprotobuf_memory_limit;
};

/* Appends a value of an enumeration, if it has a name. */
bool append_enum(std::string &text, const Field &field, int number);

/* Looks at all bytes of a message before libprotobuf does; false when they are not one. */
bool check(const Type *type, const uint8_t *base, const uint8_t *start, const uint8_t *end, int depth,
           Budget &budget, Fault &fault);

/* Appends a message as JSON text; false when it cannot be written. */
bool write(const Type *type, const pb::Message &message, const TypeTable &table, pb::Arena &arena,
           Budget &budget, std::string &text, Fault &fault);

/* The text of a file that producers import without a reference in the registry, without its first
   line; NULL for others. */
const char *known_file(const std::string &name);

} // namespace cprotobuf

struct cprotobuf_schema {
  cprotobuf::pb::DescriptorPool pool{cprotobuf::pb::DescriptorPool::generated_pool()};
  cprotobuf::pb::DynamicMessageFactory factory{&pool};
  cprotobuf::TypeTable table{&cprotobuf::TypeTable::of_library()};
  const cprotobuf::pb::FileDescriptor *file = nullptr;
  /* The messages that records may be, in the order of the file. */
  std::vector<const cprotobuf::Type *> messages;
  std::unordered_map<const cprotobuf::pb::Descriptor *, int32_t> places;
  size_t size = 0;
};
