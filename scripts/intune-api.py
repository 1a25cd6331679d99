#!/usr/bin/env python3
"""Tabulates the public API of Microsoft's Intune App SDK for iOS by version.

Reads the headers (and Swift interfaces) of every tag in a clone of
https://github.com/microsoftconnect/ms-intune-app-sdk-ios and writes one line
for each declaration in any version: its Swift name, its Objective-C name, and
the versions that introduced, deprecated and removed it.
A line of kind `release` names a version.
"""

import argparse
import re
import subprocess
import sys
from dataclasses import dataclass, field

COLUMNS = ("kind", "container", "name", "objc", "introduced", "deprecated",
           "removed", "value", "requirement", "unavailable", "traits", "async",
           "absent")

# The possible folders of a version's headers. The first that exists is used.
HEADER_PLACES = (
    "IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Headers/",
    "IntuneMAMSwift.framework/Headers/",
    "IntuneMAM.framework/Headers/",
    "Headers/",
)
INTERFACE_PLACES = (
    "IntuneMAMSwift.xcframework/ios-arm64/IntuneMAMSwift.framework/Modules/"
    "IntuneMAMSwift.swiftmodule/arm64-apple-ios.swiftinterface",
    "IntuneMAMSwift.framework/Modules/"
    "IntuneMAMSwift.swiftmodule/arm64-apple-ios.swiftinterface",
)


@dataclass
class Declaration:
    """A declaration in one version."""

    kind: str
    container: str
    name: str
    objc: str = ""
    value: str = ""
    requirement: str = ""
    unavailable: str = ""
    deprecated: bool = False
    traits: list = field(default_factory=list)
    asynchronous: str = ""

    @property
    def key(self):
        """The declaration's identity across versions."""
        return (self.kind, self.container, self.objc or self.overload)

    @property
    def overload(self):
        """A Swift declaration's name, with the effects that distinguish overloads."""
        return " ".join([self.name, *self.traits])


# Camel case, split as Swift's importer does.

def words(name):
    """Splits a name into words. An acronym or an underscore is one word."""
    found, start = [], 0
    while start < len(name):
        end = word_end(name, start)
        found.append(name[start:end])
        start = end
    return found


def word_end(name, start):
    """Returns the end of the word that begins at `start`."""
    if name[start] == "_":
        return start + 1
    end = start
    while end < len(name) and name[end].isupper():
        end += 1
    if end - start <= 1:
        while end < len(name) and not name[end].isupper() and name[end] != "_":
            end += 1
        return end
    after = end
    while after < len(name) and name[after].islower():
        after += 1
    is_plural = name[end:after] in ("s", "es", "ies") and name[end - 1:after] != "Is"
    if end == len(name) or is_plural:
        return after
    return end - 1 if name[end].islower() else end


def lowercase_initialism(name):
    """Lowercases a name's first word: `ADALError` becomes `adalError`."""
    if not name or not name[0].isupper():
        return name
    for index in range(len(name) - 1):
        following = name[index + 1]
        if following.isupper():
            continue
        first_word = words(name[index + 1:])[0]
        if index == 0 or not following.isalpha() or first_word in ("s", "es", "ies"):
            index += 1
        return name[:index].lower() + name[index:]
    return name.lower()


PREPOSITIONS = frozenset("""above after along alongside as at before below by
    following for from given in including inside into matching of on since to
    until using via with within""".split())

# The words in the SDK's names that Swift's importer treats as verbs.
VERBS = frozenset("""add challenge close copy count dismiss display do file get
    level name number open protect read receive register request restart save
    show switch tell type validate wipe write""".split())


def part_of_speech(word):
    """Returns whether the importer treats a word as a preposition, a verb or a gerund."""
    word = word.lower()
    if word in PREPOSITIONS:
        return "preposition"
    if word in VERBS:
        return "verb"
    if word.endswith("ing") and (word[:-3] in VERBS or word[:-3] + "e" in VERBS
                                 or word[:-4] in VERBS):
        return "gerund"
    return "unknown"


# Swift's rules for needless words: words of a type's name are omitted from a name.

@dataclass
class TypeName:
    """The properties of an Objective-C type that affect names."""

    name: str
    element: str = ""
    is_block: bool = False
    has_default: bool = False


def type_name(text, context):
    """Parses an Objective-C type."""
    is_nullable = re.search(r"\b_?nullable\b", text, re.I) is not None
    text = re.sub(r"\b(_?nullable|_?nonnull|const|__kindof|strong)\b", " ", text, flags=re.I)
    if "^" in text:
        return TypeName("Block", is_block=True, has_default=is_nullable)
    match = re.match(r"\s*(\w+)\s*(?:<\s*(\w+))?", text)
    if not match:
        return TypeName("")
    base, argument = match.group(1), match.group(2) or ""
    if base == "instancetype":
        return TypeName(context)
    if base == "id":
        return TypeName(argument or "Object")
    if base == "BOOL":
        return TypeName("Bool")
    return TypeName(base, argument if base in ("NSArray", "NSSet") else "")


def words_match(name_word, type_word):
    """Whether a word of a name repeats a word of a type, ignoring a prefix such as `NS`."""
    if len(name_word) > len(type_word):
        return False
    if name_word.lower() == type_word.lower():
        return True
    start = len(type_word) - len(name_word)
    if type_word.lower().endswith(name_word.lower()) and not type_word[start].islower():
        return not any(c.islower() or c == "_" for c in type_word[:len(name_word)])
    rest = type_word[len(name_word):]
    return type_word.lower().startswith(name_word.lower()) and rest.isdigit()


def without_suffix(name):
    """Returns a type's name without a suffix such as `Type`, or None if it has none."""
    for suffix in ("Type", "Ref", "Mask", "_t"):
        if name.endswith(suffix) and len(name) > len(suffix):
            return name[:-len(suffix)]
    return None


def matched_from_back(name_words, of_type):
    """Returns the number of words before those that repeat the type's name."""
    count, type_words = len(name_words), words(of_type.name)
    while count and type_words:
        word = name_words[count - 1]
        if words_match(word, type_words[-1]):
            count -= 1
            type_words.pop()
        elif of_type.element and len(word) > 2 and word.endswith("s"):
            singular = name_words[:count - 1] + [word[:-1]]
            shorter = matched_from_back(singular, TypeName(of_type.element))
            if shorter == count:
                break
            count, of_type = shorter, TypeName(of_type.name)
        elif count == len(name_words) and without_suffix("".join(type_words)):
            type_words = words(without_suffix("".join(type_words)))
        else:
            break
    return count


VACUOUS = ("get", "for", "set", "using", "with")
NOT_MEMBERS = ("init", "Protocol", "self", "Type")


def is_member_name(name):
    """Whether the importer accepts the shortened base name."""
    return name not in NOT_MEMBERS and name.lower() not in VACUOUS


def is_property_name(text, properties):
    """Whether a class has a property with that name or its plural."""
    name = text[0].lower() + text[1:]
    plurals = (name, name + "s", name + "es", re.sub("y$", "ies", name))
    return any(plural in properties for plural in plurals)


def omit_own_type(name, context, properties):
    """Omits the class's name after a verb, as in `openFileAtPath` of `File`."""
    name_words, own = words(name), context
    for end in range(len(name_words), 0, -1):
        start = matched_from_back(name_words[:end], TypeName(own))
        if start < end:
            break
        while without_suffix(own):
            own = without_suffix(own)
    else:
        return name
    if start == 0 or part_of_speech(name_words[start - 1]) != "verb":
        return name
    if is_property_name("".join(name_words[start:end]), properties):
        return name
    shorter = "".join(name_words[:start] + name_words[end:])
    return shorter if is_member_name(shorter) else name


def omit_from_base(name, of_type, properties):
    """Omits a parameter's type from the end of a base name after a verb."""
    name_words = words(name)
    count = matched_from_back(name_words, of_type)
    if count in (0, len(name_words)) or name_words[count:] == ["Error"]:
        return name
    part = part_of_speech(name_words[count - 1])
    if part == "unknown" or (part == "preposition" and count == 1):
        return name
    if part != "preposition" and is_property_name("".join(name_words[count:]), properties):
        return name
    shorter = "".join(name_words[:count])
    return shorter if is_member_name(shorter) else name


def omit_from_label(label, of_type, is_first):
    """Omits a parameter's type from the end of its label."""
    label_words = words(label)
    count = matched_from_back(label_words, of_type)
    if count == 0:
        return "" if is_first else label
    if label_words[count:] in ([], ["Error"]):
        return label
    if part_of_speech(label_words[count - 1]) == "unknown":
        return label
    return "".join(label_words[:count])


NOT_SPLIT_AFTER = {"with": ("error", "no"), "to": ("visible", "backing"), "from": ("backing",)}


def split_base(base, of_type):
    """Splits a base name before its last preposition into base name and label."""
    name_words = words(base)
    places = [i for i, word in enumerate(name_words) if word.lower() in PREPOSITIONS]
    if name_words[0] == "set" or not places:
        return base, ""
    place = places[-1]
    if name_words[place].lower() == "of" and len(places) > 1:
        if name_words[places[-2]].lower() not in ("of", "for"):
            place = places[-2]
    preposition, after = name_words[place].lower(), name_words[place + 1:]
    if after and after[0].lower() in NOT_SPLIT_AFTER.get(preposition, ()):
        return base, ""
    before = name_words[:place]
    if not before or before[0] in NOT_MEMBERS and len(before) == 1:
        return base, ""
    if before[0].lower() in VACUOUS and len(before) <= 2:
        return base, ""
    is_vacuous = preposition in ("with", "using") and (of_type.is_block or of_type.has_default)
    label = after if is_vacuous else name_words[place:]
    return "".join(before), "".join(label)


@dataclass
class Method:
    """The declaration of an Objective-C method."""

    is_class: bool
    result: str
    pieces: list
    types: list
    parameters: list

    @property
    def selector(self):
        """The method's selector."""
        return "".join(p + ":" for p in self.pieces) if self.types else self.pieces[0]


def swift_name(method, context, properties, selectors):
    """Returns a method's Swift name, whether it throws, and its name as an async method."""
    base, labels = method.pieces[0], ["", *method.pieces[1:]][:len(method.types)]
    types = [type_name(text, context) for text in method.types]
    for of_type in types[:-1]:
        of_type.has_default = False
    throws = import_error(method, labels, types, selectors)
    plain = spelled(base, labels, types, context, properties)
    if not method.types or not is_awaitable(method):
        return plain, throws, ""
    awaited, last = base, labels.pop()
    if not labels:
        awaited = re.sub(r"With(Completion(Handler|Block)?|Reply(To)?)$", "", base)
    elif re.search(r".With(Completion(Handler|Block)?|Reply(To)?)$", last):
        return plain, throws, ""
    if awaited.startswith("get") and len(awaited) > 3:
        awaited = awaited[3:]
    return plain, throws, spelled(awaited, labels, types[:-1], context, properties)


def import_error(method, labels, types, selectors):
    """Removes an error parameter that Swift replaces by throwing. Returns whether it does."""
    if not method.types or not re.search(r"NSError[^*]*\*[^*]*\*", method.types[-1]):
        return False
    is_object = "*" in method.result or re.search(r"\b(id|instancetype)\b", method.result)
    is_nullable = re.search(r"_?nullable", method.result, re.I)
    if method.result != "BOOL" and not (is_object and is_nullable):
        return False
    if len(labels) == 1:
        return False  # In this SDK, no such method throws.
    if "".join(piece + ":" for piece in method.pieces[:-1]) not in selectors:
        labels.pop()
        types.pop()
    return True


def is_awaitable(method):
    """Whether Swift also imports the method as an async method."""
    ending = r"^(with)?(completion(handler|block)?|reply(to)?)$"
    last = method.pieces[-1] if len(method.pieces) > 1 else ""
    is_named = re.match(ending, last, re.I) or re.match(ending, method.parameters[-1], re.I)
    is_named = is_named or re.search(r"With(Completion(Handler|Block)?|Reply(To)?)$",
                                     method.pieces[-1])
    is_block = re.match(r"\s*void\s*\(\s*\^", method.types[-1])
    return bool(is_named and is_block and method.result == "void")


def spelled(base, labels, types, context, properties):
    """Composes a method's Swift name without needless words."""
    labels = list(labels)
    base = omit_own_type(base, context, properties)
    if labels and not labels[0]:
        base, labels[0] = split_base(base, types[0])
    for index, label in enumerate(labels):
        if label:
            is_first = index == 0 and not types[0].has_default
            labels[index] = omit_from_label(label, types[index], is_first)
        elif index == 0:
            base = omit_from_base(base, types[0], properties)
    shown = "".join((lowercase_initialism(label) or "_") + ":" for label in labels)
    return f"{lowercase_initialism(base)}({shown})"


def common_words(one, other):
    """Returns the common first words of two names. The rest must not begin with a digit."""
    first, second, shared = words(one), words(other), 0
    while shared < min(len(first), len(second)) and first[shared] == second[shared]:
        shared += 1
    rests = (first[shared:shared + 1], second[shared:shared + 1])
    if shared and any(rest and not re.match(r"[A-Za-z_]\w*$", rest[0]) for rest in rests):
        shared -= 1
    return "".join(first[:shared])


def case_prefix(enumeration, cases):
    """Returns the prefix that Swift removes from the names of an enumeration's cases."""
    prefix = cases[0]
    for case in cases[1:]:
        prefix = common_words(prefix, case)
    own = common_words(prefix, enumeration)
    rest = prefix[len(own):]
    if rest and not rest.startswith("_") and enumeration.endswith("s"):
        word = words(rest)[0]
        if enumeration[:-1].endswith(word) or enumeration[:-2].endswith(word):
            own += word
    return own + "_" if prefix[len(own):].startswith("_") else own


# Objective-C headers.

def bare(text):
    """Returns a header without comments, preprocessor lines and the contents of strings."""
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    text = re.sub(r"//[^\n]*", " ", text)
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", " ", text, flags=re.M)
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', text)
    return re.sub(r'__attribute__\s*\(\(visibility\(""\)\)\)', " ", text)


MARKS = re.compile(r"\b(?:__attribute__|__deprecated\w*|DEPRECATED\w*|API_\w+|"
                   r"NS_(?:SWIFT_)?UNAVAILABLE|NS_SWIFT_NAME|NS_DESIGNATED_INITIALIZER)")


def marks(text):
    """Returns the fields of a `Declaration` that its attributes determine."""
    unavailable = ""
    if "NS_SWIFT_UNAVAILABLE" in text:
        unavailable = "swift"
    elif re.search(r"NS_UNAVAILABLE|\bunavailable\s*\(", text):
        unavailable = "all"
    return {"deprecated": bool(re.search("deprecated", text, re.I)), "unavailable": unavailable}


def given_name(text):
    """Returns the name in NS_SWIFT_NAME, or an empty string."""
    match = re.search(r"NS_SWIFT_NAME\s*\(\s*([^\s]+?)\s*\)\s*(?:;|$|__)", text)
    return match.group(1) if match else ""


ENUMERATION = re.compile(
    r"typedef\s+(?:NS_(ENUM|OPTIONS)\s*\(\s*\w+\s*,\s*(\w+)\s*\)|enum\s+(\w+))\s*"
    r"\{([^}]*)\}[^;]*;")


def read_enumerations(text):
    """Yields the enumerations of a header and their cases."""
    for match in ENUMERATION.finditer(text):
        kind = {"ENUM": "enum", "OPTIONS": "options", None: "c-enum"}[match.group(1)]
        name = match.group(2) or match.group(3)
        yield Declaration(kind, "", name, objc=name)
        cases = [part.strip() for part in match.group(4).split(",") if part.strip()]
        names = [re.match(r"\w+", case).group() for case in cases]
        prefix = "" if kind == "c-enum" else case_prefix(name, names)
        values = {}
        for case, case_name in zip(cases, names):
            values[case_name] = case_value(case, values)
            short = case_name[len(prefix):]
            yield Declaration("case" if prefix else "global-case", name,
                              lowercase_initialism(short) if prefix else short,
                              objc=case_name, value=str(values[case_name]), **marks(case))


def case_value(case, earlier):
    """Returns the raw value of an enumeration's case."""
    match = re.search(r"=\s*([\w\s<|()]+?)\s*$", MARKS.split(case)[0])
    if not match:
        return list(earlier.values())[-1] + 1 if earlier else 0
    total = 0
    for term in match.group(1).strip("() ").split("|"):
        sides = [side.strip(" ()") for side in term.split("<<")]
        numbers = [earlier[s] if s in earlier else int(s, 0) for s in sides]
        total |= numbers[0] << numbers[1] if len(numbers) > 1 else numbers[0]
    return total


CONTAINER = re.compile(r"([^;}]*)@(interface|protocol)\s+(\w+)\s*((?::\s*\w+)?\s*(?:<[^>]*>)?)"
                       r"(?!\s*[;,])(.*?)@end", re.S)


def read_containers(text):
    """Yields the classes and protocols of a header and their members."""
    for match in CONTAINER.finditer(text):
        before, kind, name, _, body = match.groups()
        yield Declaration("class" if kind == "interface" else "protocol", "", name,
                          objc=name, **marks(before.rpartition("@end")[2]))
        statements = [s.strip() for s in body.split(";")]
        properties = {property_name(s) for s in statements if "@property" in s}
        methods = [read_method(s) for s in statements]
        selectors = {m.selector for m in methods if m}
        required = "required"
        for statement, method in zip(statements, methods):
            for word in re.findall(r"@(optional|required)\b", statement):
                required = word
            member = read_member(statement, method, name, properties, selectors)
            if member:
                member.requirement = required if kind == "protocol" else ""
                yield member


def property_name(statement):
    """Returns the name of the property that a statement declares."""
    return re.findall(r"\w+", MARKS.split(statement)[0])[-1]


def read_member(statement, method, container, properties, selectors):
    """Returns the declaration of a property or method; None for any other statement."""
    if "@property" in statement:
        attributes = re.search(r"@property\s*(?:\(([^)]*)\))?", statement).group(1) or ""
        attributes = set(re.findall(r"\w+", attributes))
        name = property_name(statement)
        kind = "class-property" if "class" in attributes else "property"
        traits = sorted(attributes & {"weak", "strong", "copy", "readonly"})
        return Declaration(kind, container, given_name(statement) or lowercase_initialism(name),
                           objc=name, traits=traits, **marks(statement))
    if not method:
        return None
    name, throws, awaited = swift_name(method, container, properties, selectors)
    return Declaration("class-method" if method.is_class else "method", container,
                       given_name(statement) or name, objc=method.selector,
                       traits=["throws"] if throws else [], asynchronous=awaited,
                       **marks(statement))


def read_method(statement):
    """Parses the declaration of a method. Returns None for any other statement."""
    match = re.search(r"(?:^|@\w+\s+|\s)([-+])\s*\(", statement)
    if not match or "@property" in statement:
        return None
    result, rest = bracketed(statement[match.end() - 1:])
    pieces, types, parameters = [], [], []
    while True:
        piece = re.match(r"\s*(\w+)\s*:\s*(?=\()", rest)
        if not piece:
            break
        written, rest = bracketed(rest[piece.end():])
        parameter = re.match(r"\s*(\w+)", rest)
        pieces.append(piece.group(1))
        types.append(written)
        parameters.append(parameter.group(1))
        rest = rest[parameter.end():]
    if not pieces:
        pieces = [re.match(r"\s*(\w+)", rest).group(1)]
    return Method(match.group(1) == "+", result.strip(), pieces, types, parameters)


def bracketed(text):
    """Splits `(inner) rest` into inner and rest."""
    depth = 0
    for index, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return text[1:index], text[index + 1:]
    raise ValueError(f"a bracket is not closed: {text[:60]}")


def read_globals(text):
    """Yields the constants, variables and functions of a header."""
    for match in re.finditer(r"\b(?:extern|FOUNDATION_EXPORT)\s+([^;{]*);", text):
        statement = MARKS.split(match.group(1))[0]
        attributes = marks(match.group(1))
        function = re.search(r"(\w+)\s*\(", statement)
        name = function.group(1) if function else re.findall(r"\w+", statement)[-1]
        if function:
            yield Declaration("function", "", name, objc=name, **attributes)
        elif name.endswith("Notification") and "NSString" in statement:
            yield Declaration("notification", "NSNotification.Name",
                              name[:-len("Notification")], objc=name, **attributes)
        else:
            kind = "constant" if re.search(r"\bconst\b", statement) else "variable"
            yield Declaration(kind, "", name, objc=name, **attributes)


# Swift interfaces.

SWIFT_TYPE = re.compile(r"(?:public|open)\s+(?:final\s+)?(class|struct|enum|protocol)\s+(\w+)")
SWIFT_EXTENSION = re.compile(r"extension\s+([\w.]+)\s*(?::[^{]*)?\{")
SWIFT_MEMBER = re.compile(r"(?:public|open)\s+(static\s+|class\s+)?(func|var|let)\s+(\w+)(.*)")
SYNTHESIZED = ("hash", "hashValue", "rawValue")


def read_interface(text):
    """Yields the declarations of a Swift interface, except those imported from Objective-C."""
    container, attributes = "", ""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("@available"):
            attributes += line
        declaration = SWIFT_TYPE.search(line)
        extension = SWIFT_EXTENSION.match(line)
        member = SWIFT_MEMBER.search(line)
        case = re.match(r"case\s+(\w+)", line)
        if declaration:
            kind, container = declaration.groups()
            yield Declaration("swift-" + kind, "", container, deprecated="deprecated" in attributes)
        elif extension:
            container = re.sub(r"^SwiftUI(Core)?\.", "SwiftUI.", extension.group(1))
        elif case:
            yield Declaration("swift-case", container, case.group(1))
        elif member and member.group(3) not in SYNTHESIZED:
            yield swift_member(container, member, attributes)
        if not line.startswith(("@available", "#")):
            attributes = ""


def swift_member(container, match, attributes):
    """Returns the declaration of a Swift method or property."""
    static, keyword, name, rest = match.groups()
    traits = []
    if keyword == "func":
        inner, after = bracketed(rest[rest.index("("):])
        name += "(" + "".join(f"{label}:" for label in parameter_labels(inner)) + ")"
        traits = re.findall(r"\b(async|throws)\b", after.split("->")[0])
    kind = ("swift-static-" if static else "swift-") + ("method" if keyword == "func" else "property")
    return Declaration(kind, container, name, traits=traits, deprecated="deprecated" in attributes)


def parameter_labels(text):
    """Returns the labels of a Swift parameter list."""
    labels, depth, start = [], 0, True
    for token in re.findall(r"\w+|[^\w\s]", text):
        if start and depth == 0:
            labels.append(token)
            start = False
        depth += {"(": 1, "[": 1, "<": 1, ")": -1, "]": -1}.get(token, 0)
        start = start or (token == "," and depth == 0)
    return labels


# Versions.

class Repository:
    """A clone, identified by its git directory. A file shared by several versions is read once."""

    def __init__(self, directory):
        self.directory = directory
        self.read = {}

    def git(self, *arguments):
        """Returns the output of a git command."""
        command = ["git", f"--git-dir={self.directory}", *arguments]
        return subprocess.run(command, check=True, capture_output=True).stdout.decode("utf-8", "replace")

    def versions(self, first):
        """Returns the tags that are version numbers not below `first`, in ascending order."""
        tags = [t for t in self.git("tag").split() if re.fullmatch(r"\d+(\.\d+)+", t)]
        return sorted((t for t in tags if number(t) >= number(first)), key=number)

    def declarations(self, version):
        """Returns all declarations of a version, by key."""
        lines = self.git("ls-tree", "-r", version).splitlines()
        files = {path: line.split()[2] for line, path in (l.split("\t") for l in lines)}
        found = {}
        for path, blob in sorted(chosen(files).items()):
            if (path.endswith(".h"), blob) not in self.read:
                reader = read_header if path.endswith(".h") else read_interface
                text = self.git("cat-file", "blob", blob)
                self.read[path.endswith(".h"), blob] = list(reader(text))
            for declaration in self.read[path.endswith(".h"), blob]:
                found.setdefault(declaration.key, declaration)
        return found


def chosen(files):
    """Returns the files of a version to read: the headers of one framework and its Swift interface.

    The header generated by the Swift compiler is not read, because the interface has the same content.
    """
    kept = {}
    for place in HEADER_PLACES:
        headers = {p: b for p, b in files.items()
                   if p.startswith(place) and p.endswith(".h") and not p.endswith("-Swift.h")}
        if headers:
            kept.update(headers)
            break
    for place in INTERFACE_PLACES:
        if place in files:
            kept[place] = files[place]
            break
    return kept


def read_header(text):
    """Yields every declaration of an Objective-C header."""
    text = bare(text)
    yield from read_enumerations(text)
    text = ENUMERATION.sub(" ", text)
    yield from read_containers(text)
    yield from read_globals(CONTAINER.sub(lambda match: match.group(1), text))


def number(version):
    """Returns a version as a tuple of numbers, for comparison."""
    return tuple(int(part) for part in version.split("."))


def history(repository, versions):
    """Returns the table's rows, and remarks about changes that the rows do not show."""
    seen = {}
    for version in versions:
        for key, declaration in repository.declarations(version).items():
            seen.setdefault(key, {})[version] = declaration
    rows, remarks = [], []
    for key, states in seen.items():
        last = max(states, key=number)
        latest = states[last]
        lacking = [v for v in versions if number(v) > number(last)]
        marked = [v for v in versions if v in states and states[v].deprecated]
        rows.append((latest.kind, latest.container, latest.name, latest.objc,
                     min(states, key=number), marked[0] if marked else "",
                     lacking[0] if lacking else "", latest.value, latest.requirement,
                     latest.unavailable, " ".join(latest.traits), latest.asynchronous,
                     " ".join(skipped(states, versions))))
        remarks += remarks_on(key, states)
    return sorted(rows, key=lambda row: (row[1] or row[2], row[1] != "", *row)), sorted(remarks)


def skipped(states, versions):
    """Returns the versions that lack a declaration that both earlier and later ones have.

    A fix release of an older version can add a declaration that the next
    major version, started earlier, does not have yet.
    """
    first, last = min(states, key=number), max(states, key=number)
    return [v for v in versions
            if number(first) < number(v) < number(last) and v not in states]


def remarks_on(key, states):
    """Yields a remark for each change of a declaration between versions."""
    ordered = sorted(states, key=number)
    if states[ordered[0]].deprecated is False and any(states[v].deprecated for v in ordered):
        if not states[ordered[-1]].deprecated:
            yield f"{' '.join(key)}: no longer deprecated in {ordered[-1]}"
    for attribute in ("name", "value", "requirement", "unavailable", "traits", "asynchronous"):
        for before, after in zip(ordered, ordered[1:]):
            old, new = getattr(states[before], attribute), getattr(states[after], attribute)
            if old != new:
                yield f"{' '.join(key)}: {attribute} {old!r} until {before}, {new!r} from {after}"


def main():
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__.strip().partition("\n\n")[0],
                                     epilog=__doc__.strip().partition("\n\n")[2])
    parser.add_argument("directory", metavar="GIT_DIRECTORY", help="the clone's git directory")
    parser.add_argument("--first", default="9.0", help="the first version to read (default: 9.0)")
    parser.add_argument("--remarks", action="store_true",
                        help="print changes within declarations to standard error")
    arguments = parser.parse_args()
    repository = Repository(arguments.directory)
    versions = repository.versions(arguments.first)
    if not versions:
        parser.error(f"no version from {arguments.first} on in {arguments.directory}")
    rows, remarks = history(repository, versions)
    print(f"# Intune App SDK for iOS {versions[0]}..{versions[-1]}, {len(versions)} versions")
    print("\t".join(COLUMNS))
    releases = [("release", "", version, "", version, *[""] * 8) for version in versions]
    for row in releases + rows:
        print("\t".join(row))
    if arguments.remarks:
        print("\n".join(remarks), file=sys.stderr)


if __name__ == "__main__":
    main()
