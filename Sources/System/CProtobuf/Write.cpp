#include "Text.h"
#include "Types.h"
#include <algorithm>

namespace cprotobuf {

namespace {

using FieldType = pb::FieldDescriptor;

class Writer {
public:
  Writer(const TypeTable &table, pb::Arena &arena, Budget &budget, std::string &text, Fault &fault)
      : table_(table), arena_(arena), budget_(budget), text_(text), fault_(fault) {}

  bool message(const Type &type, const pb::Message &message) {
    switch (type.special) {
    case Special::none: return object(type, message, nullptr);
    case Special::any: return any(type, message);
    case Special::timestamp: return timestamp(type, message);
    case Special::duration: return duration(type, message);
    case Special::structure: return repeated(type.fields[0], message);
    case Special::list: return repeated(type.fields[0], message);
    case Special::value: return any_value(type, message);
    case Special::wrapper: return single(type.fields[0], message);
    }
    return false;
  }

private:
  struct Step {
    const Field *field;
    int item;
  };

  const TypeTable &table_;
  pb::Arena &arena_;
  Budget &budget_;
  std::string &text_;
  Fault &fault_;
  std::vector<Step> path_;
  int depth_ = 0;
  int any_depth_ = 0;

  bool fail(const std::string &message, bool is_too_large = false) {
    fault_.is_set = true;
    fault_.is_too_large = is_too_large;
    fault_.message = message;
    fault_.byte = -1;
    std::string path;
    for (const auto &step : path_) {
      if (!path.empty()) path += ".";
      path += step.field->descriptor->name();
      if (step.item >= 0) path += "[" + std::to_string(step.item) + "]";
    }
    fault_.path = fault_.path.empty() || path.empty() ? path + fault_.path : path + "." + fault_.path;
    return false;
  }

  bool begin(char bracket) {
    if (depth_ == cprotobuf_depth_limit) {
      return fail("nested deeper than " + std::to_string(cprotobuf_depth_limit) + " levels");
    }
    depth_++;
    text_ += bracket;
    return true;
  }

  void end(char bracket) {
    depth_--;
    text_ += bracket;
  }

  void separate() {
    const char last = text_.back();
    if (last != '{' && last != '[') text_ += ',';
  }

  /* All fields that are there, and those that are always there; `type_url` is that of an `Any`. */
  bool object(const Type &type, const pb::Message &message, const std::string *type_url) {
    if (!begin('{')) return false;
    if (type_url != nullptr) {
      text_ += "\"@type\":";
      append_string(text_, *type_url);
    }
    if (!members(type, message)) return false;
    end('}');
    return true;
  }

  bool members(const Type &type, const pb::Message &message) {
    const auto *reflection = message.GetReflection();
    for (const auto &field : type.fields) {
      if (field.has_presence && !reflection->HasField(message, field.descriptor)) continue;
      separate();
      field.append_key(text_, true);
      if (!value(field, message)) return false;
    }
    return true;
  }

  bool value(const Field &field, const pb::Message &message) {
    return field.is_repeated ? repeated(field, message) : single(field, message);
  }

  bool repeated(const Field &field, const pb::Message &message) {
    return field.is_map ? map(field, message) : list(field, message);
  }

  bool list(const Field &field, const pb::Message &message) {
    if (!begin('[')) return false;
    const int count = message.GetReflection()->FieldSize(message, field.descriptor);
    for (int index = 0; index < count; index++) {
      if (index > 0) text_ += ',';
      if (!item(field, message, index)) return false;
    }
    end(']');
    return true;
  }

  /* The last entry with a key is the one that counts. */
  bool map(const Field &field, const pb::Message &message) {
    if (!begin('{')) return false;
    const auto *reflection = message.GetReflection();
    const Field &key = *field.child->find(1);
    const Field &content = *field.child->find(2);
    const int count = reflection->FieldSize(message, field.descriptor);
    std::vector<std::pair<std::string, int>> keys(count);
    for (int index = 0; index < count; index++) {
      append_key(keys[index].first, key,
                 reflection->GetRepeatedMessage(message, field.descriptor, index));
      keys[index].second = index;
    }
    if (count > 1) keep_last(keys);
    for (const auto &entry : keys) {
      separate();
      text_ += entry.first;
      text_ += ':';
      path_.push_back({&field, entry.second});
      if (!value(content,
                 reflection->GetRepeatedMessage(message, field.descriptor, entry.second))) {
        return false;
      }
      path_.pop_back();
    }
    end('}');
    return true;
  }

  static void keep_last(std::vector<std::pair<std::string, int>> &keys) {
    const auto by_place = [](const auto &left, const auto &right) {
      return left.second < right.second;
    };
    std::sort(keys.begin(), keys.end());
    size_t kept = 0;
    for (size_t index = 0; index < keys.size(); index++) {
      if (index + 1 < keys.size() && keys[index].first == keys[index + 1].first) continue;
      if (kept != index) keys[kept] = std::move(keys[index]);
      kept++;
    }
    keys.resize(kept);
    std::sort(keys.begin(), keys.end(), by_place);
  }

  static void append_key(std::string &text, const Field &key, const pb::Message &entry) {
    const auto *reflection = entry.GetReflection();
    if (key.type == FieldType::TYPE_STRING) {
      std::string scratch;
      append_string(text, reflection->GetStringReference(entry, key.descriptor, &scratch));
      return;
    }
    text += '"';
    switch (key.descriptor->cpp_type()) {
    case FieldType::CPPTYPE_INT32:
      append_number(text, reflection->GetInt32(entry, key.descriptor));
      break;
    case FieldType::CPPTYPE_INT64:
      append_number(text, reflection->GetInt64(entry, key.descriptor));
      break;
    case FieldType::CPPTYPE_UINT32:
      append_number(text, reflection->GetUInt32(entry, key.descriptor));
      break;
    case FieldType::CPPTYPE_UINT64:
      append_number(text, reflection->GetUInt64(entry, key.descriptor));
      break;
    case FieldType::CPPTYPE_BOOL:
      text += reflection->GetBool(entry, key.descriptor) ? "true" : "false";
      break;
    default: break;
    }
    text += '"';
  }

  bool item(const Field &field, const pb::Message &message, int index) {
    const auto *reflection = message.GetReflection();
    const auto *descriptor = field.descriptor;
    std::string scratch;
    switch (descriptor->cpp_type()) {
    case FieldType::CPPTYPE_INT32:
      append_number(text_, reflection->GetRepeatedInt32(message, descriptor, index));
      break;
    case FieldType::CPPTYPE_INT64:
      append_number(text_, reflection->GetRepeatedInt64(message, descriptor, index));
      break;
    case FieldType::CPPTYPE_UINT32:
      append_number(text_, reflection->GetRepeatedUInt32(message, descriptor, index));
      break;
    case FieldType::CPPTYPE_UINT64:
      append_number(text_, reflection->GetRepeatedUInt64(message, descriptor, index));
      break;
    case FieldType::CPPTYPE_DOUBLE:
      append_number(text_, reflection->GetRepeatedDouble(message, descriptor, index));
      break;
    case FieldType::CPPTYPE_FLOAT:
      append_number(text_, reflection->GetRepeatedFloat(message, descriptor, index));
      break;
    case FieldType::CPPTYPE_BOOL:
      text_ += reflection->GetRepeatedBool(message, descriptor, index) ? "true" : "false";
      break;
    case FieldType::CPPTYPE_ENUM:
      write_enum(field, reflection->GetRepeatedEnumValue(message, descriptor, index));
      break;
    case FieldType::CPPTYPE_STRING:
      return text(field,
                  reflection->GetRepeatedStringReference(message, descriptor, index, &scratch));
    case FieldType::CPPTYPE_MESSAGE:
      return inner(field, index, reflection->GetRepeatedMessage(message, descriptor, index));
    }
    return fits();
  }

  bool single(const Field &field, const pb::Message &message) {
    const auto *reflection = message.GetReflection();
    const auto *descriptor = field.descriptor;
    std::string scratch;
    switch (descriptor->cpp_type()) {
    case FieldType::CPPTYPE_INT32:
      append_number(text_, reflection->GetInt32(message, descriptor));
      break;
    case FieldType::CPPTYPE_INT64:
      append_number(text_, reflection->GetInt64(message, descriptor));
      break;
    case FieldType::CPPTYPE_UINT32:
      append_number(text_, reflection->GetUInt32(message, descriptor));
      break;
    case FieldType::CPPTYPE_UINT64:
      append_number(text_, reflection->GetUInt64(message, descriptor));
      break;
    case FieldType::CPPTYPE_DOUBLE:
      append_number(text_, reflection->GetDouble(message, descriptor));
      break;
    case FieldType::CPPTYPE_FLOAT:
      append_number(text_, reflection->GetFloat(message, descriptor));
      break;
    case FieldType::CPPTYPE_BOOL:
      text_ += reflection->GetBool(message, descriptor) ? "true" : "false";
      break;
    case FieldType::CPPTYPE_ENUM:
      write_enum(field, reflection->GetEnumValue(message, descriptor));
      break;
    case FieldType::CPPTYPE_STRING:
      return text(field, reflection->GetStringReference(message, descriptor, &scratch));
    case FieldType::CPPTYPE_MESSAGE:
      return inner(field, -1, reflection->GetMessage(message, descriptor));
    }
    return fits();
  }

  bool inner(const Field &field, int index, const pb::Message &message) {
    path_.push_back({&field, index});
    if (!this->message(*field.child, message)) return false;
    path_.pop_back();
    return fits();
  }

  bool text(const Field &field, const std::string &content) {
    if (field.type == FieldType::TYPE_BYTES) {
      append_base64(text_, content);
    } else {
      append_string(text_, content);
    }
    return fits();
  }

  void write_enum(const Field &field, int number) {
    if (!append_enum(text_, field, number)) append_number(text_, number);
  }

  inline bool fits() {
    return text_.size() <= cprotobuf_text_limit ||
           fail("its JSON text is longer than " + std::to_string(cprotobuf_text_limit) + " bytes",
                true);
  }

  // MARK: libprotobuf's own messages

  bool timestamp(const Type &type, const pb::Message &message) {
    const auto *reflection = message.GetReflection();
    append_timestamp(text_, reflection->GetInt64(message, type.find(1)->descriptor),
                     reflection->GetInt32(message, type.find(2)->descriptor));
    return true;
  }

  bool duration(const Type &type, const pb::Message &message) {
    const auto *reflection = message.GetReflection();
    append_duration(text_, reflection->GetInt64(message, type.find(1)->descriptor),
                    reflection->GetInt32(message, type.find(2)->descriptor));
    return true;
  }

  /* The one field of a `Value` that is there; null if none is. */
  bool any_value(const Type &type, const pb::Message &message) {
    const auto *reflection = message.GetReflection();
    for (const auto &field : type.fields) {
      if (!reflection->HasField(message, field.descriptor)) continue;
      return single(field, message);
    }
    text_ += "null";
    return true;
  }

  bool any(const Type &type, const pb::Message &message) {
    const auto *reflection = message.GetReflection();
    std::string url_scratch, value_scratch;
    const auto &url =
        reflection->GetStringReference(message, type.find(1)->descriptor, &url_scratch);
    const auto &content =
        reflection->GetStringReference(message, type.find(2)->descriptor, &value_scratch);
    const size_t slash = url.rfind('/');
    const Type *found = table_.find(slash == std::string::npos ? url : url.substr(slash + 1));
    if (found == nullptr || found->prototype == nullptr) return unknown_any(url, content);
    any_depth_++;
    const bool is_written = any_depth_ <= cprotobuf_depth_limit
                                ? known_any(*found, url, content)
                                : fail("nested deeper than " +
                                       std::to_string(cprotobuf_depth_limit) + " levels");
    any_depth_--;
    return is_written;
  }

  bool unknown_any(const std::string &url, const std::string &content) {
    if (!begin('{')) return false;
    if (!url.empty() || !content.empty()) {
      text_ += "\"@type\":";
      append_string(text_, url);
      text_ += ",\"value\":";
      append_base64(text_, content);
    }
    end('}');
    return true;
  }

  bool known_any(const Type &type, const std::string &url, const std::string &content) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(content.data());
    // Its content is copied, and an `Any` in it copies its own again.
    if (content.size() > budget_.memory) {
      return fail("it takes more than " + std::to_string(cprotobuf_memory_limit) +
                      " bytes of memory",
                  true);
    }
    budget_.memory -= content.size();
    Fault inside;
    if (!check(&type, nullptr, bytes, bytes + content.size(), 0, budget_, inside)) {
      fault_.path = inside.path;
      return fail(inside.message, inside.is_too_large);
    }
    auto *message = type.prototype->New(&arena_);
    if (!message->ParseFrom<pb::MessageLite::kMergePartial>(pb::StringPiece(content))) {
      return fail("it is not a message of type " + type.descriptor->full_name());
    }
    if (type.special == Special::none) return object(type, *message, &url);
    if (!begin('{')) return false;
    text_ += "\"@type\":";
    append_string(text_, url);
    text_ += ",\"value\":";
    if (!this->message(type, *message)) return false;
    end('}');
    return true;
  }
};

} // namespace

bool write(const Type *type, const pb::Message &message, const TypeTable &table, pb::Arena &arena,
           Budget &budget, std::string &text, Fault &fault) {
  return Writer(table, arena, budget, text, fault).message(*type, message);
}

} // namespace cprotobuf
