#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
/* libprotobuf is C++: this is the little of it that is needed, without exceptions, without its log and
   with plain C types. */

#ifdef __cplusplus
extern "C" {
#endif

/* The limits of a record: levels of JSON and of messages, items of lists and maps, bytes of the record,
   of its JSON text, and of the memory that its messages take. */
enum {
  cprotobuf_depth_limit = 64,
  cprotobuf_message_depth_limit = 100,
  cprotobuf_item_limit = 1 << 18,
  cprotobuf_record_limit = 4 << 20,
  cprotobuf_text_limit = 1 << 20,
  cprotobuf_memory_limit = 64 << 20,
};

/* The files of a schema while they are collected. */
typedef struct cprotobuf_files cprotobuf_files;

/* A schema. It never changes: threads may share it. */
typedef struct cprotobuf_schema cprotobuf_schema;

/* Reads records, one after the other, in memory that it keeps. */
typedef struct cprotobuf_reader cprotobuf_reader;

/* NULL without memory. */
cprotobuf_files *cprotobuf_open(void);
void cprotobuf_close(cprotobuf_files *files);

/* Adds a file that others import by this name; false when it cannot be used. */
bool cprotobuf_add(cprotobuf_files *files, const char *name, const uint8_t *text, size_t count);

/* The schema of a file and of all that it imports; NULL when it cannot be used. */
cprotobuf_schema *cprotobuf_compile(cprotobuf_files *files, const uint8_t *text, size_t count);

/* Why the last of the functions above failed, and in which line and column of its text, from 1; 0 if
   that is not known. */
const char *cprotobuf_problem(const cprotobuf_files *files, int32_t *line, int32_t *column);

void cprotobuf_release(cprotobuf_schema *schema);

/* About how many bytes of memory it takes. */
size_t cprotobuf_size(const cprotobuf_schema *schema);

/* The message at a place in the file, and in the messages around it; -1 when there is none. */
int32_t cprotobuf_message_at(const cprotobuf_schema *schema, const int32_t *indexes, size_t count);

/* The message with a name, full or not; -1 when there is none. */
int32_t cprotobuf_message_named(const cprotobuf_schema *schema, const uint8_t *name, size_t count);

/* A message of a schema, which lives as long as that. */
typedef struct cprotobuf_type cprotobuf_type;

/* What the JSON of a field is; an object and a list without known members. */
typedef enum {
  cprotobuf_null,
  cprotobuf_boolean,
  cprotobuf_number,
  cprotobuf_string,
  cprotobuf_enumeration,
  cprotobuf_message,
  cprotobuf_object,
  cprotobuf_list,
  cprotobuf_anything,
} cprotobuf_kind;

/* Which JSON text libprotobuf reads for a value that contains no others. */
typedef enum {
  cprotobuf_any_form,
  cprotobuf_int32,
  cprotobuf_int64,
  cprotobuf_uint32,
  cprotobuf_uint64,
  cprotobuf_float,
  cprotobuf_double,
  cprotobuf_text_form,
  cprotobuf_bytes,
  cprotobuf_timestamp,
  cprotobuf_duration,
} cprotobuf_form;

/* A field: its name, the other one that JSON may have, what its value is (of a map or list: each of
   its values), and the message, if it is one. */
typedef struct {
  const char *name, *json_name;
  cprotobuf_kind kind;
  cprotobuf_form form;
  bool is_map, is_list;
  const cprotobuf_type *type;
} cprotobuf_field;

/* NULL if there is no such message. */
const cprotobuf_type *cprotobuf_type_of(const cprotobuf_schema *schema, int32_t message);
const char *cprotobuf_type_name(const cprotobuf_type *type);
size_t cprotobuf_field_count(const cprotobuf_type *type);
cprotobuf_field cprotobuf_field_at(const cprotobuf_type *type, size_t index);

/* A symbol of a field that is an enumeration; NULL after the last. */
const char *cprotobuf_symbol(const cprotobuf_type *type, size_t field, int32_t index);

/* The record that a JSON text stands for; NULL without memory. */
typedef struct cprotobuf_encoding cprotobuf_encoding;
cprotobuf_encoding *cprotobuf_encode(const cprotobuf_schema *schema, int32_t message,
                                     const uint8_t *text, size_t count);
void cprotobuf_encoding_close(cprotobuf_encoding *encoding);

/* Its bytes, or NULL and why there are none. */
const uint8_t *cprotobuf_encoded(const cprotobuf_encoding *encoding, size_t *count,
                                 const char **problem);

/* NULL without memory. Unless it is direct, it reads every record with libprotobuf, also those that it
   could write straight from their bytes; both write the same text. */
cprotobuf_reader *cprotobuf_reader_open(bool is_direct);
void cprotobuf_reader_close(cprotobuf_reader *reader);

/* Writes the message that begins at an offset, and ends with the bytes, as JSON text; false when the
   bytes are not one. */
bool cprotobuf_read(cprotobuf_reader *reader, const cprotobuf_schema *schema, int32_t message,
                    const uint8_t *bytes, size_t start, size_t count);

/* The text, if the last record was read. */
const char *cprotobuf_text(const cprotobuf_reader *reader, size_t *count);

/* Why it was not read: what is wrong, in which field, at which byte (-1 if that is not known), and
   whether it is only too large. */
const char *cprotobuf_fault(const cprotobuf_reader *reader, const char **path, int64_t *byte,
                            bool *is_too_large);

#ifdef __cplusplus
}
#endif
