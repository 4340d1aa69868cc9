import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.card.zod_schema import Schema, read_schema
from tests.support.timing import cpu_seconds

SCRIPT = """
import { registerMvuSchema } from 'https://scripts.example/mvu.js';
const Weather = z.enum(['sun', "rain"]).default('rain'); // weather: z.number()
export const Schema = z.object({
  town: z.object({
    weather: Weather,
    'day count': z.coerce.number().int().min(1).max(30).prefault(-0.5),
    open: z.boolean().default(true),
    /* note: z.number() */
    钱: z.coerce.number().transform(v => _.clamp(v, -10, 1_000)),
    tide: z.union([z.literal('low'), z.literal(`high`)]).describe('The tide'),
    score: z.number().nonnegative(),
    name: z.string().default('Lina'),
    guests: z.record(z.string(), z.object({ age: z.number() })),
    made: build(z.number().min(1)),
    ...rest,
    [key]: z.number(),
    fun() { return z.number(); },
  }).strict(),
});
$(() => { registerMvuSchema(Schema); });
"""


def test_literals_of_a_static_schema_are_read() -> None:
    schema = read_schema(SCRIPT)
    assert schema
    town = schema.fields["town"].fields
    assert town["weather"] == Schema("choice", options=("sun", "rain"), default="rain")
    assert town["day count"] == Schema("number", min=1, max=30, default=-0.5)
    assert town["open"] == Schema("flag", default=True)
    assert town["钱"] == Schema("number", min=-10, max=1000)
    assert town["tide"] == Schema("choice", options=("low", "high"), description="The tide")
    assert town["score"] == Schema("number", min=0)
    assert town["name"] == Schema(default="Lina")
    assert town["guests"].kind == "other"
    assert set(town) == {"weather", "day count", "open", "钱", "tide", "score", "name", "guests"}


@pytest.mark.parametrize(
    "script",
    [
        "registerMvuSchema(z.object({ a: z.number().min(2) }))",
        "const s = z.object({ a: z.number().min(2) }); registerMvuSchema(s);",
        'let schema = z.object({ "a": z.number().min(2) })',
        "const r = /[(]'/;\nf([1, (2]);\nconst Schema = z.object({ a: z.number().min(2) })",
        "const A = z.number().min(2); const Schema = z.object({ a: A })",
    ],
)
def test_where_a_schema_may_stand(script: str) -> None:
    assert read_schema(script) == Schema("group", {"a": Schema("number", min=2)})


@pytest.mark.parametrize(
    "script",
    [
        "",
        "alert('z.object')",
        "const Schema = build(z.object({ a: z.number() }))",
        "const Schema = z.object({ a: z.number() ",
        "const Schema = z.object(shape)",
        "const Schema = Schema.extend({})",
        "const A = B; const B = A; const Schema = z.object({ a: A })",
        "const Schema = z.number()",
        "const Schema = z.object({ a: z.number() })" + " " * 400_000,
    ],
)
def test_what_cannot_be_read_without_running_is_passed_over(script: str) -> None:
    assert read_schema(script) is None


@pytest.mark.parametrize(
    ("chain", "schema"),
    [
        ("z.number().min(low)", Schema("number", unread=("min",))),
        ("z.number().min(1).default(Math.random())", Schema("number", min=1, unread=("default",))),
        ("z.enum(['a', b])", Schema(unread=("enum",))),
        ("z.enum(NAMES)", Schema(unread=("enum",))),
        ("z.union([z.literal('a'), z.number()])", Schema(unread=("union",))),
        ("z.literal(['a', 'b', 'a'])", Schema("choice", options=("a", "b"))),
        ("z.number().transform(v => _.clamp(v, 0, top))", Schema("number", unread=("transform",))),
        ("z.number().refine(odd).int().positive()", Schema("number", unread=("refine", "positive"))),
        ("z.string().default('it\\'s \\u4e2d')", Schema(default="it's 中")),
        ("z.number().max('x')", Schema("number", unread=("max",))),
        ("z.string().min(2).max(9).optional()", Schema()),
    ],
)
def test_chains(chain: str, schema: Schema) -> None:
    assert read_schema(f"const Schema = z.object({{ a: {chain} }})") == Schema("group", {"a": schema})


@pytest.mark.req("CARD-6")
@pytest.mark.parametrize(
    "function",
    [
        "v => _.clamp(v, 0, 100)",
        "(v) => _.clamp(Number(v), 0, 100)",
        "v => clamp(v, 0, 100)",
        "v => { return _.clamp(v, 0, 100); }",
        "function (v) { return _.clamp(v, 0, 100) }",
        "function keep(v) { return _.clamp(v, 0, 100) }",
        "v => Math.min(Math.max(v, 0), 100)",
        "v => Math.max(0, Math.min(100, v))",
        "v => (Math.min(100, Math.max(0, Math.round(v))))",
        "(v: number) => Math.round(_.clamp(v, 0, 100))",
        "v => Math.max(_.clamp(v, -5, 100), 0)",
    ],
)
def test_a_function_that_keeps_a_number_within_bounds_gives_them(function: str) -> None:
    expected = Schema("group", {"a": Schema("number", min=0, max=100)})
    assert read_schema(f"const Schema = z.object({{ a: z.number().transform({function}) }})") == expected
    assert read_schema(f"const Schema = z.object({{ a: z.any().transform({function}) }})") == expected


def test_one_bound_alone_is_read() -> None:
    for function, schema in (
        ("v => Math.max(v, 3)", Schema("number", min=3)),
        ("v => Math.min(-2, v)", Schema("number", max=-2)),
    ):
        script = f"const Schema = z.object({{ a: z.coerce.number().transform({function}) }})"
        assert read_schema(script) == Schema("group", {"a": schema})


@pytest.mark.parametrize(
    "function",
    [
        "v => 100 - _.clamp(v, 0, 10)",
        "v => _.clamp(v, 0, 10) * 2",
        "v => v > 100 ? 100 : v",
        "v => { log(v); return _.clamp(v, 0, 100); }",
        "v => Math.max(v, low)",
        "v => _.clamp(v, 100, 0)",
        "v => Math.round(_.clamp(v, 0.4, 9.6))",
        "keep",
        "",
        "v => v",
        "v => max(v, 3)",
    ],
)
def test_another_function_is_named_and_gives_no_bounds(function: str) -> None:
    schema = read_schema(f"const Schema = z.object({{ a: z.number().transform({function}) }})")
    assert schema == Schema("group", {"a": Schema("number", unread=("transform",))})


def test_members_that_cannot_be_read_are_named() -> None:
    schema = read_schema(SCRIPT)
    assert schema
    assert schema.fields["town"].unread == ("made", "rest", "key", "fun")


PARTS = st.sampled_from(
    [
        "z",
        ".",
        "object",
        "(",
        ")",
        "{",
        "}",
        "a",
        ":",
        ",",
        "number",
        "'t'",
        "`",
        "'",
        "const Schema = ",
        "//",
        "/*",
        "\n",
        "1",
        "Schema",
    ]
)


@given(st.lists(PARTS, max_size=60))
def test_any_script_is_read_without_error(parts: list[str]) -> None:
    schema = read_schema("const Schema = z.object({" + "".join(parts))
    assert schema is None or schema.kind == "group"


@pytest.mark.parametrize(
    "script",
    [
        "const Schema = z.object({ a: " * 8000,
        "const Schema = z.object({" + "a: z.object({" * 5000 + "})" * 5001,
        "z./*" * 50_000,
        "const Schema = z.object({a: z.number().transform(v => " + "Math.min(1, " * 8000 + ")" * 8001 + "})",
        "const Schema = z.object({a: z.number()" + "".join(f".r{n}()" for n in range(50_000)) + "})",
        "const Schema = z.object({a: z.number()" + ".transform(v => Math.min(1, v))" * 9000 + "})",
        "const Schema = z.object({" + "a: z.number(),".replace("a", "key") * 20_000 + "})",
        "".join(f"const A{n} = z.object({{a: A{n + 1}, b: A{n + 1}}});" for n in range(40))
        + "const Schema = A0",
    ],
)
def test_hostile_scripts_take_little_time(script: str) -> None:
    assert cpu_seconds(lambda: read_schema(script)) < 5
