#!/usr/bin/env python3
"""Writes random messages of random schemas, and what Google's protobuf reads in them, as lines of JSON.

    random_messages.py COUNT SEED

Each line has the schema, the files that it imports, the message in hexadecimal digits, and the JSON text that
the message must become.
"""
import base64
import json
import math
import random
import re
import struct
import sys

from google.protobuf import (any_pb2, descriptor_pb2, descriptor_pool, duration_pb2, message_factory,
                             struct_pb2, timestamp_pb2, wrappers_pb2)

F = descriptor_pb2.FieldDescriptorProto
SCALARS = {
    F.TYPE_DOUBLE: "double", F.TYPE_FLOAT: "float", F.TYPE_INT64: "int64", F.TYPE_UINT64: "uint64",
    F.TYPE_INT32: "int32", F.TYPE_FIXED64: "fixed64", F.TYPE_FIXED32: "fixed32", F.TYPE_BOOL: "bool",
    F.TYPE_STRING: "string", F.TYPE_BYTES: "bytes", F.TYPE_UINT32: "uint32",
    F.TYPE_SFIXED32: "sfixed32", F.TYPE_SFIXED64: "sfixed64", F.TYPE_SINT32: "sint32",
    F.TYPE_SINT64: "sint64"}
KEYS = [F.TYPE_INT32, F.TYPE_INT64, F.TYPE_UINT32, F.TYPE_UINT64, F.TYPE_SINT32, F.TYPE_BOOL,
        F.TYPE_STRING, F.TYPE_FIXED32, F.TYPE_SFIXED64]
OWN = {"timestamp": ["Timestamp"], "duration": ["Duration"], "any": ["Any"],
       "struct": ["Struct", "Value", "ListValue"],
       "wrappers": ["DoubleValue", "FloatValue", "Int64Value", "UInt64Value", "Int32Value",
                    "UInt32Value", "BoolValue", "StringValue", "BytesValue"]}
MODULES = [any_pb2, duration_pb2, struct_pb2, timestamp_pb2, wrappers_pb2]


def whole(chance, low, high):
    """A whole number: a small one, one at the end of the range, or any."""
    kind = chance.random()
    if kind < 0.5:
        return max(low, min(high, chance.randint(-200, 200)))
    return chance.choice([low, high, 0]) if kind < 0.6 else chance.randint(low, high)


def text(chance):
    alphabet = chance.choice(["abcXYZ019 _-", "\"\\/\b\f\n\r\t\x00\x1f\x7f", "äß€😀漢\u2028", "a\"ß😀\n"])
    return "".join(chance.choice(alphabet) for _ in range(chance.randint(0, 40)))


def number(chance, single):
    """A floating-point number of any bits."""
    kind = chance.random()
    if kind < 0.1:
        return chance.choice([math.nan, math.inf, -math.inf, 0.0, -0.0, 1.0, 100.0, 1e16, 1e-5])
    if kind < 0.4:
        value = chance.uniform(-1000, 1000)
    elif single:
        value = struct.unpack("<f", struct.pack("<I", chance.getrandbits(32)))[0]
    else:
        value = struct.unpack("<d", struct.pack("<Q", chance.getrandbits(64)))[0]
    return struct.unpack("<f", struct.pack("<f", value))[0] if single else value


class Maker:
    """Random files of one schema: the messages of the second one use those of the first."""

    def __init__(self, chance):
        self.chance = chance
        self.count = 0
        self.known = []

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def file(self, name, imports):
        file = descriptor_pb2.FileDescriptorProto(
            name=name, syntax=self.chance.choice(["proto2", "proto3", "proto3"]),
            package=self.chance.choice(["", "shop", "a.b"]))
        file.dependency.extend(f"google/protobuf/{own}.proto" for own in OWN)
        file.dependency.extend(imports)
        scope = f".{file.package}" if file.package else ""
        enums = [self.enum(file.enum_type.add(), scope) for _ in range(2)]
        own = [(scope + "." + self.name("M")) for _ in range(self.chance.randint(1, 3))]
        nested = [own[0] + "." + self.name("N")]
        self.enums = enums
        self.types = self.known + own + nested
        for full in own:
            message = file.message_type.add(name=full.rsplit(".", 1)[1])
            if full == own[0]:
                self.message(message.nested_type.add(name=nested[0].rsplit(".", 1)[1]), nested[0], file)
            self.message(message, full, file)
        self.known = self.known + own
        return file

    def enum(self, enum, scope):
        enum.name = self.name("E")
        for index in range(self.chance.randint(1, 5)):
            value = index if index == 0 else self.chance.choice([index, -index, index * 1000])
            enum.value.add(name=f"{enum.name}_{index}", number=value)
        return f"{scope}.{enum.name}"

    def message(self, message, full, file):
        numbers = self.chance.sample(range(1, 40), 12) + [300, 2047, 536870911]
        for _ in range(self.chance.randint(0, 8)):
            number = numbers.pop(self.chance.randrange(len(numbers)))
            field = message.field.add(name=self.name("f"), number=number)
            kind = self.chance.random()
            if kind < 0.15:
                self.map(message, full, field, file)
                continue
            self.type(field, file)
            if kind < 0.4:
                field.label = F.LABEL_REPEATED
            elif file.syntax == "proto2" or kind < 0.5:
                field.label = F.LABEL_OPTIONAL
                if file.syntax == "proto3" and field.type != F.TYPE_MESSAGE:
                    field.proto3_optional = True
        if self.chance.random() < 0.4:
            self.oneof(message, numbers, file)
        # Those of `optional` stand behind all others.
        for field in message.field:
            if field.proto3_optional:
                field.oneof_index = len(message.oneof_decl)
                message.oneof_decl.add(name=f"_{field.name}")

    def oneof(self, message, numbers, file):
        message.oneof_decl.add(name=self.name("o"))
        for _ in range(self.chance.randint(1, 3)):
            field = message.field.add(name=self.name("f"), number=numbers.pop(),
                                      label=F.LABEL_OPTIONAL, oneof_index=0)
            self.type(field, file)

    def type(self, field, file):
        field.label = F.LABEL_OPTIONAL
        kind = self.chance.random()
        if kind < 0.55:
            field.type = self.chance.choice(list(SCALARS))
        elif kind < 0.65:
            field.type, field.type_name = F.TYPE_ENUM, self.chance.choice(self.enums)
        elif kind < 0.8:
            own = self.chance.choice(list(OWN))
            field.type = F.TYPE_MESSAGE
            field.type_name = ".google.protobuf." + self.chance.choice(OWN[own])
        else:
            field.type, field.type_name = F.TYPE_MESSAGE, self.chance.choice(self.types)

    def map(self, message, full, field, file):
        entry = message.nested_type.add(name=field.name.capitalize() + "Entry")
        entry.options.map_entry = True
        entry.field.add(name="key", number=1, label=F.LABEL_OPTIONAL, type=self.chance.choice(KEYS))
        self.type(entry.field.add(name="value", number=2), file)
        field.label, field.type, field.type_name = F.LABEL_REPEATED, F.TYPE_MESSAGE, f"{full}.{entry.name}"


# What a `.proto` file says of a descriptor.

def type_text(field):
    return SCALARS.get(field.type) or field.type_name


def message_text(message, syntax):
    lines = [f"message {message.name} {{"]
    entries = {}
    for nested in message.nested_type:
        if nested.options.map_entry:
            entries[nested.name] = nested
        else:
            lines += message_text(nested, syntax)
    choices = []
    for field in message.field:
        line = f"{type_text(field)} {field.name} = {field.number};"
        entry = entries.get(field.type_name.rsplit(".", 1)[-1])
        if entry:
            key, value = entry.field
            line = f"map<{type_text(key)}, {type_text(value)}> {field.name} = {field.number};"
        elif field.label == F.LABEL_REPEATED:
            line = "repeated " + line
        elif field.HasField("oneof_index") and not field.proto3_optional:
            choices.append(line)
            continue
        elif field.proto3_optional or syntax == "proto2":
            line = "optional " + line
        lines.append(line)
    if choices:
        lines += [f"oneof {message.oneof_decl[0].name} {{", *choices, "}"]
    return lines + ["}"]


def file_text(file):
    lines = [f'syntax = "{file.syntax}";']
    if file.package:
        lines.append(f"package {file.package};")
    lines += [f'import "{name}";' for name in file.dependency]
    for enum in file.enum_type:
        lines += [f"enum {enum.name} {{", *(f"{value.name} = {value.number};" for value in enum.value),
                  "}"]
    for message in file.message_type:
        lines += message_text(message, file.syntax)
    return "\n".join(lines)


# Values

class Filler:
    def __init__(self, chance, pool, types):
        self.chance = chance
        self.pool = pool
        self.types = types

    def fill(self, message, depth):
        for field in message.DESCRIPTOR.fields:
            if self.chance.random() < 0.3 or (field.message_type and depth <= 0):
                continue
            if field.message_type and field.message_type.GetOptions().map_entry:
                self.entries(getattr(message, field.name), field.message_type, depth)
            elif field.is_repeated:
                values = getattr(message, field.name)
                for _ in range(self.chance.randint(0, 3)):
                    if field.message_type:
                        self.fill_message(values.add(), depth - 1)
                    else:
                        values.append(self.scalar(field))
            elif field.message_type:
                inner = getattr(message, field.name)
                inner.SetInParent()
                self.fill_message(inner, depth - 1)
            else:
                setattr(message, field.name, self.scalar(field))

    def entries(self, values, entry, depth):
        value = entry.fields_by_name["value"]
        for _ in range(self.chance.randint(0, 3)):
            key = self.scalar(entry.fields_by_name["key"])
            if value.message_type:
                self.fill_message(values[key], depth - 1)
            else:
                values[key] = self.scalar(value)

    def fill_message(self, message, depth):
        name = message.DESCRIPTOR.full_name
        if name == "google.protobuf.Timestamp":
            message.seconds = self.chance.choice([
                whole(self.chance, -62135596800, 253402300799), whole(self.chance, -(1 << 63), (1 << 63) - 1)])
            message.nanos = self.chance.choice([0, 120000000, 1000, 7, -1, self.chance.randrange(10**9)])
        elif name == "google.protobuf.Duration":
            message.seconds = whole(self.chance, -315576000001, 315576000001)
            message.nanos = self.chance.choice([0, 500000000, -1, whole(self.chance, -10**9, 10**9)])
        elif name == "google.protobuf.Any":
            self.fill_any(message, depth)
        else:
            self.fill(message, depth)

    def fill_any(self, message, depth):
        kind = self.chance.random()
        if kind < 0.1:
            return
        if kind < 0.3:
            message.type_url, message.value = "t/not.Known", self.chance.randbytes(5)
            return
        name = self.chance.choice(self.types)
        inner = message_factory.GetMessageClass(self.pool.FindMessageTypeByName(name))()
        self.fill_message(inner, depth - 1)
        message.type_url, message.value = "type.googleapis.com/" + name, inner.SerializeToString()

    def scalar(self, field):
        kind = field.type
        if kind == F.TYPE_ENUM:
            numbers = [value.number for value in field.enum_type.values]
            is_open = not field.enum_type.is_closed
            return self.chance.choice(numbers + ([77, -77] if is_open else []))
        if kind in (F.TYPE_DOUBLE, F.TYPE_FLOAT):
            return number(self.chance, kind == F.TYPE_FLOAT)
        if kind == F.TYPE_BOOL:
            return self.chance.random() < 0.5
        if kind == F.TYPE_STRING:
            return text(self.chance)
        if kind == F.TYPE_BYTES:
            return self.chance.randbytes(self.chance.randint(0, 20))
        bits = 64 if "64" in SCALARS[kind] else 32
        if kind in (F.TYPE_UINT32, F.TYPE_UINT64, F.TYPE_FIXED32, F.TYPE_FIXED64):
            return whole(self.chance, 0, (1 << bits) - 1)
        return whole(self.chance, -(1 << bits - 1), (1 << bits - 1) - 1)


# The JSON that a message must become.

def real(value, single):
    if not math.isfinite(value):
        return None
    if single:
        for digits in range(1, 10):
            short = float(f"{value:.{digits}g}")
            try:
                if struct.pack("<f", short) == struct.pack("<f", value):
                    return short
            except OverflowError:
                pass
    return value


def scalar_json(value, field):
    if field.type == F.TYPE_ENUM:
        if field.enum_type.full_name == "google.protobuf.NullValue":
            return None if value == 0 else value
        found = field.enum_type.values_by_number.get(value)
        return found.name if found else value
    if field.type in (F.TYPE_DOUBLE, F.TYPE_FLOAT):
        return real(value, field.type == F.TYPE_FLOAT)
    if field.type == F.TYPE_BYTES:
        return base64.b64encode(value).decode()
    return value


def value_json(value, field, pool):
    return message_json(value, pool) if field.message_type else scalar_json(value, field)


def duration_json(seconds, nanos):
    if abs(seconds) > 315576000000 or abs(nanos) > 999999999 or seconds * nanos < 0:
        return None
    total = seconds * 10**9 + nanos
    # A number with more digits than Python's have: see `dumps`.
    return f"@@{'-' if total < 0 else ''}{abs(total) // 10**9}.{abs(total) % 10**9:09}@@"


def timestamp_json(message):
    if not (-62135596800 <= message.seconds <= 253402300799 and 0 <= message.nanos <= 999999999):
        return None
    return timestamp_pb2.Timestamp(seconds=message.seconds, nanos=message.nanos).ToJsonString()


def any_json(message, pool):
    if not message.type_url and not message.value:
        return {}
    name = message.type_url.rsplit("/", 1)[-1]
    try:
        found = pool.FindMessageTypeByName(name)
    except KeyError:
        return {"@type": message.type_url, "value": base64.b64encode(message.value).decode()}
    inner = message_factory.GetMessageClass(found)()
    inner.ParseFromString(message.value)
    content = message_json(inner, pool)
    if name in SPECIAL:
        return {"@type": message.type_url, "value": content}
    return {"@type": message.type_url, **content}


SPECIAL = {f"google.protobuf.{name}" for names in OWN.values() for name in names}


def message_json(message, pool):
    name = message.DESCRIPTOR.full_name
    if name == "google.protobuf.Timestamp":
        return timestamp_json(message)
    if name == "google.protobuf.Duration":
        return duration_json(message.seconds, message.nanos)
    if name == "google.protobuf.Any":
        return any_json(message, pool)
    if name == "google.protobuf.Struct":
        return {key: message_json(value, pool) for key, value in message.fields.items()}
    if name == "google.protobuf.ListValue":
        return [message_json(value, pool) for value in message.values]
    if name == "google.protobuf.Value":
        kind = message.WhichOneof("kind")
        if kind is None:
            return None
        return value_json(getattr(message, kind), message.DESCRIPTOR.fields_by_name[kind], pool)
    if name in SPECIAL:
        return value_json(message.value, message.DESCRIPTOR.fields_by_name["value"], pool)
    return object_json(message, pool)


def object_json(message, pool):
    result = {}
    for field in message.DESCRIPTOR.fields:
        if field.message_type and field.message_type.GetOptions().map_entry:
            value = field.message_type.fields_by_name["value"]
            result[field.name] = {
                ("true" if key else "false") if isinstance(key, bool) else str(key):
                    value_json(content, value, pool)
                for key, content in getattr(message, field.name).items()}
        elif field.is_repeated:
            result[field.name] = [value_json(item, field, pool) for item in getattr(message, field.name)]
        elif not field.has_presence or message.HasField(field.name):
            result[field.name] = value_json(getattr(message, field.name), field, pool)
    return result


def dumps(value):
    return re.sub('"@@([-0-9.]+)@@"', r"\1", json.dumps(value, ensure_ascii=False))


def unknown(chance):
    """A field that no schema has."""
    number = 99
    return chance.choice([
        b"", b"", bytes([number << 3 & 0x7F | 0x80, number >> 4, 5]),
        bytes([number << 3 & 0x7F | 2 | 0x80, number >> 4, 1, 65])])


def schema(chance):
    maker = Maker(chance)
    files = [maker.file("first.proto", [])]
    files.append(maker.file("main.proto", ["first.proto"]))
    pool = descriptor_pool.DescriptorPool()
    for module in MODULES:
        pool.AddSerializedFile(module.DESCRIPTOR.serialized_pb)
    for file in files:
        pool.AddSerializedFile(file.SerializeToString())
    return files, pool


def made(chance, kind, pool, types):
    """A message, or two that are united by being written one after the other; and its JSON."""
    record = b""
    for _ in range(chance.choice([1, 1, 1, 2])):
        message = kind()
        Filler(chance, pool, types + sorted(SPECIAL)).fill(message, 4)
        # The type of one `Any` and the value of another have no meaning together.
        if b"type.googleapis.com" in record or b"t/not.Known" in record:
            break
        record += message.SerializeToString() + unknown(chance)
    return record, dumps(message_json(kind.FromString(record), pool))


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(seed)
    for index in range(count):
        if index % 5 == 0:
            files, pool = schema(chance)
        file = files[1]
        scope = file.package + "." if file.package else ""
        types = [scope + message.name for message in file.message_type]
        place = chance.randrange(len(types))
        kind = message_factory.GetMessageClass(pool.FindMessageTypeByName(types[place]))
        record, expected = made(chance, kind, pool, types)
        indexes = bytes([0]) if place == 0 and chance.random() < 0.5 else bytes([2, 2 * place])
        print(json.dumps({
            "schema": file_text(file), "import": file_text(files[0]), "record": (indexes + record).hex(),
            "json": expected}))


main()
