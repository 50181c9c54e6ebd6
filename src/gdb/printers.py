"""Pretty-printers of Lockstep's types for gdb.

Programs that link Lockstep's runtime library contain this file, and gdb loads it from there once the program is in
its auto-load safe path: `add-auto-load-safe-path DIRECTORY` in ~/.config/gdb/gdbinit. Or load it by hand:
`source printers.py`.
"""

import re
import struct

import gdb
import gdb.printing


def ranges(lanes):
    """The lanes as "0-3,7"."""
    parts = []
    lanes = sorted(lanes)
    while lanes:
        last = 0
        while last + 1 < len(lanes) and lanes[last + 1] == lanes[last] + 1:
            last += 1
        parts.append(str(lanes[0]) if last == 0 else f"{lanes[0]}-{lanes[last]}")
        lanes = lanes[last + 1 :]
    return "{" + ",".join(parts) + "}"


def lanes_of_bits(bits):
    return [i for i in range(128) if bits >> i & 1]


def basic(value):
    """The value without references."""
    if value.type.strip_typedefs().code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        value = value.referenced_value()
    return value


def base_named(value_type, name):
    """The type itself or its base class of this template, which may be a base of a base; or None."""
    value_type = value_type.strip_typedefs().unqualified()
    if re.match(r"lockstep::(\w+::)?" + name + "<", value_type.name or ""):
        return value_type
    if value_type.code == gdb.TYPE_CODE_STRUCT:
        for field in value_type.fields():
            if field.is_base_class:
                found = base_named(field.type, name)
                if found is not None:
                    return found
    return None


def shortest(number, code):
    """A float with as few digits as it needs."""
    for digits in range(1, 18):
        text = f"{number:.{digits}g}"
        try:
            if struct.pack(code, float(text)) == struct.pack(code, number):
                return text
        except OverflowError:
            pass
    return str(number)


def bytes_of(packs):
    """The storage of Lanes, whether in memory or in registers; raises gdb.error where it is optimized out."""
    floats = {2: "e", 4: "f", 8: "d"}
    data = b""
    batches = packs["batch"]
    for k in range(batches.type.strip_typedefs().range()[1] + 1):
        part = batches[k]["data"]
        for i in range(part.type.strip_typedefs().range()[1] + 1):
            element = part[i]
            size = element.type.sizeof
            code = element.type.strip_typedefs().code
            if code == gdb.TYPE_CODE_FLT:
                data += struct.pack(floats[size], float(element))
            elif code == gdb.TYPE_CODE_STRUCT:  # float16_t
                data += bytes(gdb.selected_inferior().read_memory(int(element.address), size))
            else:
                data += (int(element) & (1 << 8 * size) - 1).to_bytes(size, "little")
    return data


def numbers_of(lanes):
    """The values of Lanes: gdb's values, or the text of floats."""
    lanes_type = base_named(lanes.type, "Lanes")
    element = lanes_type.template_argument(0).strip_typedefs().unqualified()
    width = int(lanes_type.template_argument(1))
    if element.code == gdb.TYPE_CODE_BOOL:
        bits = int(lanes["mask_"]["bits_"])
        return ["true" if bits >> i & 1 else "false" for i in range(width)]
    size = element.sizeof
    data = bytes_of(lanes["packs_"])[: width * size]
    codes = {2: "e", 4: "f", 8: "d"}
    if element.code == gdb.TYPE_CODE_FLT or element.code == gdb.TYPE_CODE_STRUCT and size == 2:
        code = codes[size]
        return [shortest(x[0], code) for x in struct.iter_unpack(code, data)]
    if size == 1:  # numbers, not characters
        element = gdb.lookup_type("int")
        signed = lanes_type.template_argument(0).strip_typedefs().is_signed
        return [gdb.Value(int.from_bytes(data[i : i + 1], "little", signed=signed)).cast(element) for i in range(width)]
    return [gdb.Value(data[i * size : (i + 1) * size], element) for i in range(width)]


def in_parentheses(parts):
    return "(" + ", ".join(str(part) for part in parts) + ")"


def vectors_of(vector):
    """The lanes of a Vec, each as text."""
    plain = base_named(vector.type, "Vec")  # a variable has other members of the same names
    vector = vector.cast(plain)
    components = [numbers_of(vector["xyzw"[k]]) for k in range(int(plain.template_argument(1)))]
    return [in_parentheses(lane) for lane in zip(*components)]


def matrices_of(matrix):
    """The lanes of a Mat, each as text: its columns."""
    count = int(base_named(matrix.type, "Mat").template_argument(1))
    columns = [vectors_of(matrix["columns_"][c]) for c in range(count)]
    return [in_parentheses(lane) for lane in zip(*columns)]


def ballot_text(words):
    bits = sum(int(word) << 32 * k for k, word in enumerate(words))
    return f"0x{bits:x}"


class InLanes:
    """A value in each lane: an array of them, after the active lanes if it is a kernel's variable."""

    def __init__(self, value):
        self.value = basic(value)

    def to_string(self):
        fields = {field.name for field in self.value.type.strip_typedefs().fields()}
        if "active_" not in fields:
            return None
        mask = basic(self.value["active_"])
        return f"active {Mask(mask).to_string()}"

    def children(self):
        try:
            lanes = self.lanes()
        except gdb.error as error:
            lanes = [f"<{str(error) or 'optimized out'}>"]
        return ((f"[{i}]", lane) for i, lane in enumerate(lanes))

    def display_hint(self):
        return "array"


class Lanes(InLanes):
    def lanes(self):
        return numbers_of(self.value)


class Vec(InLanes):
    def lanes(self):
        return vectors_of(self.value)


class Mat(InLanes):
    def lanes(self):
        return matrices_of(self.value)


class BallotLanes(InLanes):
    def lanes(self):
        return [ballot_text(words) for words in zip(*(numbers_of(self.value[k]) for k in "xyzw"))]


class CompoundVar(InLanes):
    def lanes(self):
        is_vector = base_named(self.value.type, "Vec") is not None
        return vectors_of(self.value) if is_vector else matrices_of(self.value)


class Mask:
    """{0-3,7} of 32"""

    def __init__(self, value):
        self.value = basic(value)

    def to_string(self):
        width = int(self.value.type.strip_typedefs().unqualified().template_argument(0))
        return f"{ranges(lanes_of_bits(int(self.value['bits_'])))} of {width}"


class Ballot:
    """0x8f {0-3,7}"""

    def __init__(self, value):
        self.value = basic(value)

    def to_string(self):
        words = [int(self.value[k]) for k in "xyzw"]
        bits = sum(word << 32 * k for k, word in enumerate(words))
        return f"{ballot_text(words)} {ranges(lanes_of_bits(bits))}"


class LaneSet:
    """{0-3,7}"""

    def __init__(self, value):
        self.value = basic(value)

    def to_string(self):
        return ranges(lanes_of_bits(int(self.value["low"]) | int(self.value["high"]) << 64))


def build():
    printers = gdb.printing.RegexpCollectionPrettyPrinter("lockstep")

    def add(name, printer, arguments="<.*>"):
        printers.add_printer(name, rf"^lockstep::(\w+::)?{name}{arguments}$", printer)

    add("Lanes", Lanes)
    add("Var", Lanes)
    add("SubgroupValue", Lanes)
    add("Vec", Vec)
    add("Mat", Mat)
    add("CompoundVar", CompoundVar)
    add("BallotLanes", BallotLanes)
    add("SubgroupBallot", BallotLanes)
    add("Mask", Mask)
    add("Ballot", Ballot, "")
    add("LaneSet", LaneSet, "")
    return printers


gdb.printing.register_pretty_printer(gdb.current_objfile(), build(), replace=True)
