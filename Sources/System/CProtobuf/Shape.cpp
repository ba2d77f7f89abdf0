#include "Types.h"

using cprotobuf::Field;
using cprotobuf::Special;
using cprotobuf::Type;
using FieldType = cprotobuf::pb::FieldDescriptor;

static const Type *type_of(const cprotobuf_type *type) {
  return reinterpret_cast<const Type *>(type);
}

const cprotobuf_type *cprotobuf_type_of(const cprotobuf_schema *schema, int32_t message) {
  if (message < 0 || static_cast<size_t>(message) >= schema->messages.size()) return nullptr;
  return reinterpret_cast<const cprotobuf_type *>(schema->messages[message]);
}

const char *cprotobuf_type_name(const cprotobuf_type *type) {
  return type_of(type)->descriptor->full_name().c_str();
}

size_t cprotobuf_field_count(const cprotobuf_type *type) { return type_of(type)->fields.size(); }

static cprotobuf_kind kind_of(const Field &field);

/* What the JSON of a message is: those of libprotobuf's own files have other forms. */
static cprotobuf_kind kind_of(const Type *type) {
  if (type == nullptr) return cprotobuf_anything;
  switch (type->special) {
  case Special::none: return cprotobuf_message;
  case Special::any: case Special::structure: return cprotobuf_object;
  case Special::timestamp: return cprotobuf_string;
  case Special::duration: return cprotobuf_number;
  case Special::list: return cprotobuf_list;
  case Special::value: return cprotobuf_anything;
  case Special::wrapper: return kind_of(type->fields[0]);
  }
  return cprotobuf_anything;
}

static cprotobuf_kind kind_of(const Field &field) {
  switch (field.descriptor->cpp_type()) {
  case FieldType::CPPTYPE_BOOL: return cprotobuf_boolean;
  case FieldType::CPPTYPE_STRING: return cprotobuf_string;
  case FieldType::CPPTYPE_MESSAGE: return kind_of(field.child);
  case FieldType::CPPTYPE_ENUM:
    return field.descriptor->enum_type()->full_name() == "google.protobuf.NullValue"
               ? cprotobuf_null
               : cprotobuf_enumeration;
  default: return cprotobuf_number;
  }
}

static cprotobuf_form form_of(const Field &field) {
  switch (field.descriptor->cpp_type()) {
  case FieldType::CPPTYPE_INT32: return cprotobuf_int32;
  case FieldType::CPPTYPE_INT64: return cprotobuf_int64;
  case FieldType::CPPTYPE_UINT32: return cprotobuf_uint32;
  case FieldType::CPPTYPE_UINT64: return cprotobuf_uint64;
  case FieldType::CPPTYPE_FLOAT: return cprotobuf_float;
  case FieldType::CPPTYPE_DOUBLE: return cprotobuf_double;
  case FieldType::CPPTYPE_STRING:
    return field.descriptor->type() == FieldType::TYPE_BYTES ? cprotobuf_bytes
                                                             : cprotobuf_text_form;
  case FieldType::CPPTYPE_MESSAGE: break;
  default: return cprotobuf_any_form;
  }
  if (field.child == nullptr) return cprotobuf_any_form;
  switch (field.child->special) {
  case Special::timestamp: return cprotobuf_timestamp;
  case Special::duration: return cprotobuf_duration;
  case Special::wrapper: return form_of(field.child->fields[0]);
  default: return cprotobuf_any_form;
  }
}

/* What the value of a field is: for a map, that of an entry. */
static const Field &value_of(const Field &field) {
  return field.is_map ? *field.child->find(2) : field;
}

cprotobuf_field cprotobuf_field_at(const cprotobuf_type *type, size_t index) {
  const Field &field = type_of(type)->fields[index];
  const Field &value = value_of(field);
  const cprotobuf_kind kind = kind_of(value);
  return {field.descriptor->name().c_str(), field.descriptor->json_name().c_str(), kind,
          form_of(value), field.is_map, field.is_repeated && !field.is_map,
          kind == cprotobuf_message ? reinterpret_cast<const cprotobuf_type *>(value.child)
                                    : nullptr};
}

const char *cprotobuf_symbol(const cprotobuf_type *type, size_t field, int32_t index) {
  const auto *symbols = value_of(type_of(type)->fields[field]).descriptor->enum_type();
  if (symbols == nullptr || index >= symbols->value_count()) return nullptr;
  return symbols->value(index)->name().c_str();
}
