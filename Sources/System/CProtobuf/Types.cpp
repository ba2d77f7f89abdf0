#include "Types.h"
#include <exception>
#include <new>
#include <pthread.h>
#include <google/protobuf/any.pb.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/duration.pb.h>
#include <google/protobuf/empty.pb.h>
#include <google/protobuf/field_mask.pb.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/timestamp.pb.h>
#include <google/protobuf/wrappers.pb.h>

namespace cprotobuf {

static uint8_t wire_type(pb::FieldDescriptor::Type type) {
  switch (type) {
  case pb::FieldDescriptor::TYPE_DOUBLE:
  case pb::FieldDescriptor::TYPE_FIXED64:
  case pb::FieldDescriptor::TYPE_SFIXED64: return 1;
  case pb::FieldDescriptor::TYPE_STRING:
  case pb::FieldDescriptor::TYPE_BYTES:
  case pb::FieldDescriptor::TYPE_MESSAGE: return 2;
  case pb::FieldDescriptor::TYPE_GROUP: return 3;
  case pb::FieldDescriptor::TYPE_FLOAT:
  case pb::FieldDescriptor::TYPE_FIXED32:
  case pb::FieldDescriptor::TYPE_SFIXED32: return 5;
  default: return 0;
  }
}

/* Identifiers have no characters that JSON escapes. */
Field::Field(const pb::FieldDescriptor *field)
    : descriptor(field), key(",\"" + field->name() + "\":"), number(field->number()),
      type(field->type()), is_repeated(field->is_repeated()), is_map(field->is_map()),
      has_presence(field->has_presence()),
      is_null(field->enum_type() != nullptr &&
              field->enum_type()->full_name() == "google.protobuf.NullValue"),
      choice(field->real_containing_oneof() == nullptr ? -1
                                                       : field->real_containing_oneof()->index()),
      wire(wire_type(field->type())) {}

bool append_enum(std::string &text, const Field &field, int number) {
  const auto *symbol = field.descriptor->enum_type()->FindValueByNumber(number);
  if (symbol == nullptr) return false;
  // Null is a type of its own; the names of others have no characters that JSON escapes.
  if (field.is_null) {
    text += "null";
  } else {
    text += '"';
    text += symbol->name();
    text += '"';
  }
  return true;
}

/* Only libprotobuf's own files are certain to contain what their names say. */
static Special special(const pb::Descriptor *type) {
  if (type->file()->pool() != pb::DescriptorPool::generated_pool()) return Special::none;
  if (type == pb::Any::descriptor()) return Special::any;
  if (type == pb::Timestamp::descriptor()) return Special::timestamp;
  if (type == pb::Duration::descriptor()) return Special::duration;
  if (type == pb::Struct::descriptor()) return Special::structure;
  if (type == pb::Value::descriptor()) return Special::value;
  if (type == pb::ListValue::descriptor()) return Special::list;
  if (type->file() == pb::StringValue::descriptor()->file()) return Special::wrapper;
  return Special::none;
}

static size_t weight(const pb::FieldDescriptor *field) {
  if (field->is_map()) return 200;
  if (field->is_repeated()) return 32;
  return field->cpp_type() == pb::FieldDescriptor::CPPTYPE_STRING ? 72 : 16;
}

void TypeTable::add(const pb::FileDescriptor *file) {
  for (int index = 0; index < file->message_type_count(); index++) add(file->message_type(index));
}

void TypeTable::add(const pb::Descriptor *descriptor) {
  auto type = std::make_unique<Type>();
  type->descriptor = descriptor;
  type->special = special(descriptor);
  type->fields.reserve(descriptor->field_count());
  for (int index = 0; index < descriptor->field_count(); index++) {
    const auto *field = descriptor->field(index);
    type->weight += weight(field);
    type->fields.emplace_back(field);
    const uint32_t number = field->number();
    if (number < 256) {
      if (type->dense.size() <= number) type->dense.resize(number + 1, -1);
      type->dense[number] = index;
    } else {
      type->sparse.emplace(number, index);
    }
  }
  by_descriptor_.emplace(descriptor, type.get());
  by_name_.emplace(descriptor->full_name(), type.get());
  types_.push_back(std::move(type));
  for (int index = 0; index < descriptor->nested_type_count(); index++) {
    add(descriptor->nested_type(index));
  }
}

/* libprotobuf makes the prototypes of types that refer to each other by recursion, half a kilobyte
   of the stack for each. */
static const size_t recursion_limit = 500;
/* Enough for all types that fit into the bytes of a schema. */
static const size_t stack_size = 64 << 20;

struct Link {
  TypeTable *table;
  pb::DynamicMessageFactory *factory;
  std::exception_ptr failure;
};

static void *run_link(void *argument) {
  auto *link = static_cast<Link *>(argument);
  try {
    link->table->link_here(*link->factory);
  } catch (...) {
    link->failure = std::current_exception();
  }
  return nullptr;
}

void TypeTable::link(pb::DynamicMessageFactory &factory) {
  if (types_.size() <= recursion_limit) return link_here(factory);
  Link link = {this, &factory, nullptr};
  pthread_attr_t attributes;
  pthread_t thread;
  if (pthread_attr_init(&attributes) != 0) throw std::bad_alloc();
  pthread_attr_setstacksize(&attributes, stack_size);
  const int result = pthread_create(&thread, &attributes, run_link, &link);
  pthread_attr_destroy(&attributes);
  if (result != 0) throw std::bad_alloc();
  pthread_join(thread, nullptr);
  if (link.failure) std::rethrow_exception(link.failure);
}

void TypeTable::link_here(pb::DynamicMessageFactory &factory) {
  for (auto &type : types_) {
    if (!type->descriptor->options().map_entry()) {
      type->prototype = factory.GetPrototype(type->descriptor);
    }
    for (auto &field : type->fields) {
      if (field.descriptor->message_type() != nullptr) {
        field.child = find(field.descriptor->message_type());
      }
    }
  }
}

const Type *TypeTable::find(const pb::Descriptor *descriptor) const {
  const auto found = by_descriptor_.find(descriptor);
  if (found != by_descriptor_.end()) return found->second;
  return shared_ == nullptr ? nullptr : shared_->find(descriptor);
}

const Type *TypeTable::find(const std::string &full_name) const {
  const auto found = by_name_.find(full_name);
  if (found != by_name_.end()) return found->second;
  return shared_ == nullptr ? nullptr : shared_->find(full_name);
}

/* They are never given back: they are needed until the process ends. */
const TypeTable &TypeTable::of_library() {
  static const TypeTable *const table = [] {
    auto *factory = new pb::DynamicMessageFactory(pb::DescriptorPool::generated_pool());
    auto *table = new TypeTable(nullptr);
    // All files that events may import.
    for (const char *name : {"any", "api", "descriptor", "duration", "empty", "field_mask",
                             "source_context", "struct", "timestamp", "type", "wrappers"}) {
      const auto *file = pb::DescriptorPool::generated_pool()->FindFileByName(
          std::string("google/protobuf/") + name + ".proto");
      if (file != nullptr) table->add(file);
    }
    table->link(*factory);
    return table;
  }();
  return *table;
}

} // namespace cprotobuf
