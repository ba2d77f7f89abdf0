#include "Text.h"
#include "Types.h"
#include <algorithm>
#include <google/protobuf/compiler/parser.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>
#include <map>
#include <stdexcept>

namespace pb = google::protobuf;

namespace {

/* Deeper blocks, longer names and longer chains of imports are nobody's: libprotobuf calls itself for
   each, and its full names repeat those around them. */
constexpr int block_limit = 64, part_limit = 64, import_limit = 64;
constexpr size_t name_limit = 512, full_name_limit = 16 << 20;

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
  /* Where in the text, from 1; 0 if that is not known. */
  int line = 0, column = 0;
};

/* An error of libprotobuf in the middle of a sentence. */
std::string phrase(std::string message) {
  if (!message.empty() && message.back() == '.') message.pop_back();
  return message;
}

/* Keeps the first error of a text. */
struct TextErrors : pb::io::ErrorCollector {
  std::string first;
  int line = 0, column = 0;

  void AddError(int found_line, int found_column, const std::string &message) override {
    if (!first.empty()) return;
    first = phrase(message);
    if (found_line < 0) return;
    line = found_line + 1;
    column = found_column + 1;
  }
};

/* Keeps the first error of a file. */
struct FileErrors : pb::DescriptorPool::ErrorCollector {
  std::string first;

  void AddError(const std::string &, const std::string &element, const pb::Message *, ErrorLocation,
                const std::string &message) override {
    if (first.empty()) first = element + ": " + phrase(message);
  }
};

/* Refuses what would make the parser behind it call itself without bound. */
void check_tokens(const uint8_t *text, size_t count) {
  pb::io::ArrayInputStream input(text, static_cast<int>(count));
  TextErrors errors;
  pb::io::Tokenizer tokenizer(&input, &errors);
  int depth = 0, parts = 0;
  while (tokenizer.Next()) {
    const auto &token = tokenizer.current();
    if (token.text.size() > name_limit &&
        token.type == pb::io::Tokenizer::TYPE_IDENTIFIER) {
      throw Refusal("a name has more than " + std::to_string(name_limit) + " bytes");
    }
    if (token.type != pb::io::Tokenizer::TYPE_SYMBOL || token.text.size() != 1) continue;
    switch (token.text[0]) {
    case '{': case '[': case '(': case '<': depth++; break;
    case '}': case ']': case ')': case '>': depth = std::max(0, depth - 1); break;
    case '.': parts++; break;
    default: break;
    }
    if (token.text[0] != '.') parts = 0;
    if (depth > block_limit || parts > part_limit) {
      throw Refusal("it is nested deeper than " + std::to_string(block_limit) + " levels");
    }
  }
}

void check_name(const std::string &name, size_t limit = name_limit) {
  if (name.size() > limit) {
    throw Refusal("a name has more than " + std::to_string(limit) + " bytes");
  }
}

/* Refuses in a descriptor what `check_tokens` refuses in a text. */
void check_names(const pb::DescriptorProto &type, int depth) {
  if (depth > block_limit) {
    throw Refusal("it is nested deeper than " + std::to_string(block_limit) + " levels");
  }
  check_name(type.name());
  for (const auto &field : type.field()) {
    check_name(field.name());
    // A full name: those of the messages around it are parts of it.
    check_name(field.type_name(), name_limit * block_limit);
  }
  for (const auto &nested : type.nested_type()) check_names(nested, depth + 1);
  for (const auto &nested : type.enum_type()) {
    check_name(nested.name());
    for (const auto &value : nested.value()) check_name(value.name());
  }
}

/* Keeps the only option that says which schemas are valid; others may need files that the registry
   does not have. */
void clean(pb::EnumDescriptorProto *type) {
  bool has_aliases = type->options().allow_alias();
  for (const auto &option : type->options().uninterpreted_option()) {
    has_aliases |= option.name_size() == 1 && option.name(0).name_part() == "allow_alias" &&
                   option.identifier_value() == "true";
  }
  type->clear_options();
  if (has_aliases) type->mutable_options()->set_allow_alias(true);
  type->clear_reserved_range();
  type->clear_reserved_name();
  for (auto &value : *type->mutable_value()) value.clear_options();
}

void clean(pb::DescriptorProto *type) {
  const bool is_entry = type->options().map_entry();
  type->clear_options();
  if (is_entry) type->mutable_options()->set_map_entry(true);
  type->clear_reserved_range();
  type->clear_reserved_name();
  type->clear_extension_range();
  type->clear_extension();
  for (auto &oneof : *type->mutable_oneof_decl()) oneof.clear_options();
  for (auto &field : *type->mutable_field()) {
    field.clear_options();
    field.clear_default_value();
  }
  for (auto &nested : *type->mutable_nested_type()) clean(&nested);
  for (auto &nested : *type->mutable_enum_type()) clean(&nested);
}

/* Leaves what records are read by: names, numbers and types. */
void clean(pb::FileDescriptorProto *file) {
  file->clear_options();
  file->clear_extension();
  file->clear_service();
  file->clear_source_code_info();
  for (auto &type : *file->mutable_message_type()) clean(&type);
  for (auto &type : *file->mutable_enum_type()) clean(&type);
}

/* How many symbols a file has, and how long their full names are. */
struct Extent {
  size_t messages = 0, fields = 0, values = 0, names = 0;

  void add(const pb::EnumDescriptorProto &type, size_t around) {
    values += type.value_size();
    names += around + type.name().size();
    for (const auto &value : type.value()) names += around + value.name().size();
  }

  void add(const pb::DescriptorProto &type, size_t around) {
    messages++;
    fields += type.field_size();
    const size_t inside = around + type.name().size() + 1;
    names += inside;
    for (const auto &field : type.field()) {
      names += inside + field.name().size() + field.type_name().size();
    }
    for (const auto &nested : type.nested_type()) add(nested, inside);
    for (const auto &nested : type.enum_type()) add(nested, inside);
  }

  void add(const pb::FileDescriptorProto &file) {
    const size_t around = file.package().size() + 1;
    names += file.name().size() + around;
    for (const auto &type : file.message_type()) add(type, around);
    for (const auto &type : file.enum_type()) add(type, around);
  }

  /* As measured with libprotobuf 3.21; see the tests. */
  size_t size() const {
    return 4000 + messages * 1300 + fields * 480 + values * 250 + names;
  }
};

} // namespace

struct cprotobuf_files {
  std::map<std::string, pb::FileDescriptorProto> files;
  std::string problem;
  int32_t line = 0, column = 0;

  void fail(const std::exception &error) {
    problem = error.what();
    const auto *refusal = dynamic_cast<const Refusal *>(&error);
    line = refusal == nullptr ? 0 : refusal->line;
    column = refusal == nullptr ? 0 : refusal->column;
  }

  pb::FileDescriptorProto parse(const std::string &name, const uint8_t *text, size_t count) {
    pb::FileDescriptorProto file;
    if (!parse_descriptor(text, count, file)) file = parse_text(text, count);
    clean(&file);
    file.set_name(name);
    return file;
  }

  /* Some registries keep what a producer has registered: the descriptor of its file, in Base64. */
  bool parse_descriptor(const uint8_t *text, size_t count, pb::FileDescriptorProto &file) {
    std::string bytes;
    const std::string_view letters(reinterpret_cast<const char *>(text), count);
    if (!cprotobuf::from_base64(letters, bytes) || !file.ParseFromString(bytes)) return false;
    check_name(file.package(), name_limit * block_limit);
    for (const auto &type : file.message_type()) check_names(type, 1);
    for (const auto &type : file.enum_type()) check_name(type.name());
    return true;
  }

  pb::FileDescriptorProto parse_text(const uint8_t *text, size_t count) {
    check_tokens(text, count);
    pb::io::ArrayInputStream input(text, static_cast<int>(count));
    TextErrors errors;
    pb::io::Tokenizer tokenizer(&input, &errors);
    pb::compiler::Parser parser;
    parser.RecordErrorsTo(&errors);
    pb::FileDescriptorProto file;
    const bool is_valid = parser.Parse(&tokenizer, &file);
    if (!is_valid || !errors.first.empty()) {
      Refusal refusal(errors.first.empty() ? "it is not valid" : errors.first);
      refusal.line = errors.line;
      refusal.column = errors.column;
      throw refusal;
    }
    return file;
  }

  /* Builds a file after those that it imports. Imports that nobody has may contain only options: a type
     that is missing is an error of its own. */
  const pb::FileDescriptor *build(pb::FileDescriptorProto &file, pb::DescriptorPool &pool,
                                  std::vector<std::string> &path) {
    path.push_back(file.name());
    if (path.size() > import_limit) throw Refusal("its imports are nested too deeply");
    std::vector<std::string> imports(file.dependency().begin(), file.dependency().end());
    const std::vector<int> publics(file.public_dependency().begin(), file.public_dependency().end());
    file.clear_dependency();
    file.clear_public_dependency();
    file.clear_weak_dependency();
    for (size_t index = 0; index < imports.size(); index++) {
      const auto &name = imports[index];
      if (std::find(path.begin(), path.end(), name) != path.end()) {
        throw Refusal("'" + name + "' imports itself");
      }
      if (std::find(file.dependency().begin(), file.dependency().end(), name) !=
          file.dependency().end()) {
        continue;
      }
      if (pool.FindFileByName(name) == nullptr) {
        auto found = files.find(name);
        if (found == files.end()) {
          const char *const known = cprotobuf::known_file(name);
          if (known == nullptr) continue;
          const std::string text = std::string("syntax = \"proto3\"; ") + known;
          const auto *bytes = reinterpret_cast<const uint8_t *>(text.data());
          found = files.emplace(name, parse(name, bytes, text.size())).first;
        }
        build(found->second, pool, path);
      }
      if (std::find(publics.begin(), publics.end(), static_cast<int>(index)) != publics.end()) {
        file.add_public_dependency(file.dependency_size());
      }
      file.add_dependency(name);
    }
    path.pop_back();
    FileErrors errors;
    const auto *built = pool.BuildFileCollectingErrors(file, &errors);
    if (built == nullptr) throw Refusal(errors.first.empty() ? "it is not valid" : errors.first);
    return built;
  }

  std::unique_ptr<cprotobuf_schema> compile(const uint8_t *text, size_t count) {
    // No import can have this name.
    auto main = parse("\n", text, count);
    Extent extent;
    extent.add(main);
    for (const auto &file : files) extent.add(file.second);
    if (extent.names > full_name_limit) {
      throw Refusal("its full names have more than " + std::to_string(full_name_limit) + " bytes");
    }
    auto schema = std::make_unique<cprotobuf_schema>();
    std::vector<std::string> path;
    schema->file = build(main, schema->pool, path);
    if (schema->file->message_type_count() == 0) throw Refusal("it has no messages");
    schema->table.add(schema->file);
    for (const auto &file : files) {
      const auto *built = schema->pool.FindFileByName(file.first);
      if (built != nullptr && built->pool() == &schema->pool) schema->table.add(built);
    }
    schema->table.link(schema->factory);
    for (int index = 0; index < schema->file->message_type_count(); index++) {
      collect(*schema, schema->file->message_type(index));
    }
    schema->size = extent.size();
    return schema;
  }

  void collect(cprotobuf_schema &schema, const pb::Descriptor *type) {
    schema.places.emplace(type, static_cast<int32_t>(schema.messages.size()));
    schema.messages.push_back(schema.table.find(type));
    for (int index = 0; index < type->nested_type_count(); index++) {
      collect(schema, type->nested_type(index));
    }
  }
};

/* What libprotobuf would write to standard error. */
static void silence() {
  static const bool is_silent = [] {
    pb::SetLogHandler(nullptr);
    return true;
  }();
  (void)is_silent;
}

cprotobuf_files *cprotobuf_open(void) try {
  silence();
  return new cprotobuf_files;
} catch (...) {
  return nullptr;
}

void cprotobuf_close(cprotobuf_files *files) { delete files; }

const char *cprotobuf_problem(const cprotobuf_files *files, int32_t *line, int32_t *column) {
  *line = files->line;
  *column = files->column;
  return files->problem.c_str();
}

bool cprotobuf_add(cprotobuf_files *files, const char *name, const uint8_t *text, size_t count) try {
  const std::string file(name);
  // libprotobuf has its own; a file that is referred to twice is the same one.
  if (pb::DescriptorPool::generated_pool()->FindFileByName(file) != nullptr) return true;
  if (files->files.count(file) > 0) return true;
  if (file.size() > name_limit) throw Refusal("the name of a file is too long");
  files->files.emplace(file, files->parse(file, text, count));
  return true;
} catch (const std::exception &error) {
  files->fail(error);
  return false;
} catch (...) {
  return false;
}

cprotobuf_schema *cprotobuf_compile(cprotobuf_files *files, const uint8_t *text, size_t count) try {
  files->problem = "it is not valid";
  return files->compile(text, count).release();
} catch (const std::exception &error) {
  files->fail(error);
  return nullptr;
} catch (...) {
  return nullptr;
}

void cprotobuf_release(cprotobuf_schema *schema) { delete schema; }

size_t cprotobuf_size(const cprotobuf_schema *schema) { return schema->size; }

int32_t cprotobuf_message_at(const cprotobuf_schema *schema, const int32_t *indexes, size_t count) {
  const pb::Descriptor *type = nullptr;
  for (size_t level = 0; level < count; level++) {
    const int32_t index = indexes[level];
    const int types = type == nullptr ? schema->file->message_type_count() : type->nested_type_count();
    if (index < 0 || index >= types) return -1;
    type = type == nullptr ? schema->file->message_type(index) : type->nested_type(index);
  }
  if (type == nullptr || type->options().map_entry()) return -1;
  const auto found = schema->places.find(type);
  return found == schema->places.end() ? -1 : found->second;
}

/* By its full name, else by its name inside the package, else by its own name. */
int32_t cprotobuf_message_named(const cprotobuf_schema *schema, const uint8_t *name,
                                size_t count) try {
  const std::string wanted(reinterpret_cast<const char *>(name), count);
  const auto &package = schema->file->package();
  const std::string inside = package.empty() ? wanted : package + "." + wanted;
  int32_t own = -1;
  for (size_t index = 0; index < schema->messages.size(); index++) {
    const auto *type = schema->messages[index]->descriptor;
    if (type->options().map_entry()) continue;
    if (type->full_name() == inside || type->full_name() == wanted) {
      return static_cast<int32_t>(index);
    }
    if (own < 0 && type->name() == wanted) own = static_cast<int32_t>(index);
  }
  return own;
} catch (...) {
  return -1;
}
