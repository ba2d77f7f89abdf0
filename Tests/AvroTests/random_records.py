#!/usr/bin/env python3
"""Writes random records of random schemas, and what fastavro reads in them, as lines of JSON.

    random_records.py COUNT SEED

Each line has the schema, the schemas that it refers to, the record in hexadecimal digits, and the JSON text
that the record must become.
"""
import base64
import datetime
import decimal
import io
import json
import math
import random
import struct
import sys
import uuid

import fastavro

EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
LONG = (-(1 << 63), (1 << 63) - 1)


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
    """A random schema, with values that it allows."""

    def __init__(self, chance):
        self.chance = chance
        self.names = 0
        self.known = []

    def name(self, kind):
        self.names += 1
        return f"{kind}{self.names}"

    def type(self, depth):
        leaves = [self.primitive, self.primitive, self.logical, self.enum, self.fixed, self.decimal]
        inner = [self.record, self.array, self.map, self.union]
        if self.known and self.chance.random() < 0.1:
            return self.chance.choice(self.known)
        return self.chance.choice(leaves if depth <= 0 else leaves + inner + inner)(depth)

    def primitive(self, _):
        return self.chance.choice(
            ["null", "boolean", "int", "long", "float", "double", "bytes", "string"])

    def logical(self, _):
        kind, base = self.chance.choice([
            ("date", "int"), ("time-millis", "int"), ("time-micros", "long"), ("uuid", "string"),
            ("timestamp-millis", "long"), ("timestamp-micros", "long"),
            ("local-timestamp-millis", "long"), ("local-timestamp-micros", "long")])
        return {"type": base, "logicalType": kind}

    def decimal(self, _):
        precision = self.chance.randint(1, 40)
        scale = self.chance.randint(0, precision)
        kind = {"logicalType": "decimal", "precision": precision, "scale": scale}
        if self.chance.random() < 0.5:
            return {"type": "bytes", **kind}
        return {"type": "fixed", "name": self.name("D"), "size": 20, **kind}

    def enum(self, _):
        name = self.name("E")
        self.known.append(name)
        return {"type": "enum", "name": name,
                "symbols": [f"S{i}" for i in range(self.chance.randint(1, 9))]}

    def fixed(self, _):
        name = self.name("F")
        self.known.append(name)
        return {"type": "fixed", "name": name, "size": self.chance.randint(0, 20)}

    def array(self, depth):
        return {"type": "array", "items": self.type(depth - 1)}

    def map(self, depth):
        return {"type": "map", "values": self.type(depth - 1)}

    def union(self, depth):
        return ["null", {"type": "record", "name": self.name("U"), "fields": [
            {"name": "value", "type": self.type(depth - 1)}]}, self.chance.choice(["int", "string"])]

    def record(self, depth):
        name = self.name("R")
        fields = [{"name": f"f{i}", "type": self.type(depth - 1)}
                  for i in range(self.chance.randint(0, 6))]
        if self.chance.random() < 0.2:
            fields.append({"name": "next", "type": ["null", name], "default": None})
        self.known.append(name)
        return {"type": "record", "name": name, "fields": fields}


class Writer:
    """Random values of a schema, and the JSON that they must become."""

    def __init__(self, chance, schema):
        self.chance = chance
        self.named = {}
        self.learn(schema)

    def learn(self, schema):
        if isinstance(schema, list):
            for branch in schema:
                self.learn(branch)
        elif isinstance(schema, dict):
            if "name" in schema:
                self.named[schema["name"]] = schema
            for inner in [schema.get("items"), schema.get("values")]:
                self.learn(inner)
            for field in schema.get("fields", []):
                self.learn(field["type"])

    def value(self, schema, depth=0):
        chance = self.chance
        if isinstance(schema, list):
            if depth > 8 and "null" in schema:
                return None
            return self.value(chance.choice(schema), depth + 1)
        if isinstance(schema, str):
            schema = self.named.get(schema, {"type": schema})
        kind, logical = schema["type"], schema.get("logicalType")
        if logical:
            return self.of_logical(schema, kind, logical)
        if kind == "record":
            return {f["name"]: self.value(f["type"], depth + 1) for f in schema["fields"]}
        if kind == "array":
            return [self.value(schema["items"], depth + 1) for _ in range(chance.choice([0, 1, 2, 5]))]
        if kind == "map":
            return {text(chance): self.value(schema["values"], depth + 1)
                    for _ in range(chance.choice([0, 1, 2, 5]))}
        return {
            "null": lambda: None,
            "boolean": lambda: chance.random() < 0.5,
            "int": lambda: whole(chance, -(1 << 31), (1 << 31) - 1),
            "long": lambda: whole(chance, *LONG),
            "float": lambda: number(chance, True),
            "double": lambda: number(chance, False),
            "bytes": lambda: chance.randbytes(chance.randint(0, 30)),
            "string": lambda: text(chance),
            "enum": lambda: chance.choice(schema["symbols"]),
            "fixed": lambda: chance.randbytes(schema["size"]),
        }[kind]()

    def of_logical(self, schema, kind, logical):
        chance = self.chance
        if logical == "decimal":
            bits = chance.randint(0, 10 ** chance.randint(0, schema["precision"]) - 1)
            sign = chance.choice([0, 1])
            digits = tuple(int(d) for d in str(bits))
            return decimal.Decimal((sign if bits else 0, digits, -schema["scale"]))
        if logical == "uuid":
            return uuid.UUID(int=chance.getrandbits(128))
        if logical == "date":
            return datetime.date.fromordinal(chance.randint(1, 3_652_059))
        if logical == "time-millis":
            return self.time(chance.randint(0, 86_399_999) * 1000)
        if logical == "time-micros":
            return self.time(chance.randint(0, 86_399_999_999))
        micros = chance.randint(-62_135_596_800, 253_402_300_799) * 1_000_000
        micros += chance.randint(0, 999) * 1000
        if logical.endswith("micros"):
            micros += chance.randint(0, 999)
        moment = EPOCH + datetime.timedelta(microseconds=micros)
        return moment.replace(tzinfo=None) if logical.startswith("local") else moment

    @staticmethod
    def time(micros):
        return (datetime.datetime.min + datetime.timedelta(microseconds=micros)).time()

    def json(self, value, schema):
        """What the value that fastavro has read must become."""
        if isinstance(schema, list):
            name, value = value if isinstance(value, tuple) else (None, value)
            return self.json(value, self.branch(value, schema))
        if isinstance(schema, str):
            schema = self.named.get(schema, {"type": schema})
        kind, logical = schema["type"], schema.get("logicalType")
        if logical:
            return self.json_of_logical(value, logical)
        if kind == "record":
            inner = [json.dumps(f["name"]) + ":" + self.json(value[f["name"]], f["type"])
                     for f in schema["fields"]]
            return "{" + ",".join(inner) + "}"
        if kind == "array":
            return "[" + ",".join(self.json(item, schema["items"]) for item in value) + "]"
        if kind == "map":
            inner = [json.dumps(key, ensure_ascii=False) + ":" + self.json(item, schema["values"])
                     for key, item in value.items()]
            return "{" + ",".join(inner) + "}"
        if kind in ("bytes", "fixed"):
            return json.dumps(base64.b64encode(value).decode())
        if kind == "float":
            return self.shortest(value)
        if kind == "double":
            return repr(value) if math.isfinite(value) else "null"
        return json.dumps(value, ensure_ascii=False)

    @staticmethod
    def shortest(value):
        if not math.isfinite(value):
            return "null"
        for digits in range(1, 10):
            short = float(f"{value:.{digits}g}")
            if abs(short) < 3.5e38 and struct.pack("<f", short) == struct.pack("<f", value):
                return repr(short)
        return repr(value)

    @staticmethod
    def branch(value, union):
        for branch in union:
            kind = branch["type"] if isinstance(branch, dict) else branch
            if value is None and kind == "null":
                return branch
            if isinstance(value, dict) and kind not in ("null", "int", "string"):
                return branch
            if isinstance(value, str) and kind == "string":
                return branch
            if isinstance(value, int) and kind == "int":
                return branch
        raise ValueError(f"{value!r} is not of {union!r}")

    @staticmethod
    def json_of_logical(value, logical):
        if logical == "decimal":
            return format(value, "f")
        if logical == "uuid":
            return json.dumps(str(value))
        if logical == "date":
            return json.dumps(value.isoformat())
        digits = "milliseconds" if logical.endswith("millis") else "microseconds"
        if logical.startswith("time-"):
            return json.dumps(value.isoformat(digits))
        moment = value.replace(tzinfo=None)
        end = "" if logical.startswith("local") else "Z"
        return json.dumps(moment.isoformat("T", digits) + end)


def main():
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    chance = random.Random(seed)
    written = 0
    while written < count:
        maker = Maker(chance)
        schema = maker.record(4) if chance.random() < 0.8 else maker.type(4)
        parsed = fastavro.parse_schema(schema, named_schemas={})
        writer = Writer(chance, schema)
        for _ in range(min(20, count - written)):
            out = io.BytesIO()
            try:
                fastavro.schemaless_writer(out, parsed, writer.value(schema))
            except OverflowError:
                continue
            record = out.getvalue()
            value = fastavro.schemaless_reader(io.BytesIO(record), parsed)
            line = {"schema": json.dumps(schema), "record": record.hex(),
                    "json": writer.json(value, schema)}
            print(json.dumps(line))
            written += 1


if __name__ == "__main__":
    decimal.getcontext().prec = 60
    main()
