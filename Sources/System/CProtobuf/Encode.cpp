#include "Types.h"
#include <algorithm>
#include <exception>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver.h>
#include <google/protobuf/util/type_resolver_util.h>

namespace pb = google::protobuf;

struct cprotobuf_encoding {
  std::string bytes;
  std::string problem;
  bool is_valid = false;
};

cprotobuf_encoding *cprotobuf_encode(const cprotobuf_schema *schema, int32_t message,
                                     const uint8_t *text, size_t count) try {
  auto encoding = std::make_unique<cprotobuf_encoding>();
  encoding->problem = "there is no such message";
  if (message < 0 || static_cast<size_t>(message) >= schema->messages.size()) {
    return encoding.release();
  }
  static const std::string host = "type.googleapis.com";
  const std::unique_ptr<pb::util::TypeResolver> resolver(
      pb::util::NewTypeResolverForDescriptorPool(host, &schema->pool));
  const auto status = pb::util::JsonToBinaryString(
      resolver.get(), host + "/" + schema->messages[message]->descriptor->full_name(),
      pb::StringPiece(reinterpret_cast<const char *>(text), count), &encoding->bytes);
  encoding->is_valid = status.ok();
  // An error of syntax continues with the text around it.
  encoding->problem = status.message().ToString();
  encoding->problem.resize(std::min(encoding->problem.find('\n'), encoding->problem.size()));
  return encoding.release();
} catch (...) {
  return nullptr;
}

void cprotobuf_encoding_close(cprotobuf_encoding *encoding) { delete encoding; }

const uint8_t *cprotobuf_encoded(const cprotobuf_encoding *encoding, size_t *count,
                                 const char **problem) {
  *count = encoding->bytes.size();
  *problem = encoding->problem.c_str();
  return encoding->is_valid ? reinterpret_cast<const uint8_t *>(encoding->bytes.data()) : nullptr;
}
