import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.card.section_labels import Label, label_of
from formats.card.sections import listed, sections_of


@pytest.mark.parametrize(
    "description",
    [
        "Lina bakes.\n\n## Appearance\nTall.\n\n## Personality\nKind.\nShy.\n\n## Trade\nTea.",
        "Lina bakes.\n\n【Appearance】\nTall.\n【Personality】Kind.\nShy.\n\n【Trade】\nTea.",
        "Lina bakes.\n\n[Appearance: Tall.]\n[Personality]\nKind.\nShy.\n[Trade] Tea.",
        "Lina bakes.\n\n[Lina's looks= Tall.]\n[Lina's traits= Kind.\nShy.]\n[Trade= Tea.]",
        "Lina bakes.\n\n**Appearance:** Tall.\n**Personality**: Kind.\nShy.\n**Trade**: Tea.",
        "Lina bakes.\n\nAppearance: Tall.\nPersonality: Kind.\nShy.\nTrade: Tea.",
        "- Trade: Tea.\n- Appearance: Tall.\n- Personality: Kind.\n  Shy.\n\nLina bakes.",
        "Lina:\n  trade: Tea.\n  appearance: Tall.\n  personality: |\n    Kind.\n    Shy.\nend: Lina bakes.",
        "Lina bakes.\n\n外貌：Tall.\n性格：Kind.\nShy.\n职业：Tea.",
        "Lina bakes.\n\n# 莉娜的外貌描写\nTall.\n# 性格特点\nKind.\nShy.\n# 职业\nTea.",
        "Lina bakes.\n\n<外貌>\nTall.\n</外貌>\n<性格>Kind.\nShy.</性格>\n<职业>Tea.</职业>",
        "Lina bakes.\n\n# Appearance\nTall.\n\n【性格】\nKind.\nShy.\n# Trade\nTea.",
        "Lina bakes.\n\n【性格】Kind.\nShy.\n# Trade\nTea.\n## Looks\nTall.",
        "Lina bakes.\nTrade: Tea.\n\n**外貌**\nTall.\n\n[性格]\nKind.\nShy.\n[/性格]",
    ],
)
def test_labelled_sections_go_to_their_fields(description: str) -> None:
    found = sections_of(description)
    assert found.fields["appearance"] == "Tall."
    assert [line.strip() for line in found.fields["personality"].split("\n")] == ["Kind.", "Shy."]
    assert set(found.fields) == {"appearance", "personality"}
    assert "Tea." in found.rest
    assert "Lina bakes." in found.rest
    assert "Kind" not in found.rest
    assert "Tall" not in found.rest


@pytest.mark.parametrize(
    ("description", "fields", "rest"),
    [
        (
            "<Lina>\n<外貌>\n高。\n</外貌>\n<性格>温和</性格>她会唱歌。\n</Lina>",
            {"appearance": "高。", "personality": "温和"},
            "<Lina>\n\n她会唱歌。\n</Lina>",
        ),
        ("‹外貌›\n高。\n‹/外貌›\n结尾", {"appearance": "高。"}, "结尾"),
        ("<外貌>\n<发色>红</发色>\n高。</外貌>", {"appearance": "发色: 红\n高。"}, ""),
        ("<身高>一米七</身高>\n<外貌>高", {"appearance": "身高: 一米七\n\n高"}, ""),
        ("She wrote <性格> on it.</性格>", {}, "She wrote <性格> on it.</性格>"),
        (
            "# Background\nBorn.\nHair: red\nAge: 3",
            {"background": "Born.", "appearance": "Hair: red"},
            "Age: 3",
        ),
        ("# Looks\nHair: red\nEyes: green", {"appearance": "Hair: red\nEyes: green"}, ""),
    ],
)
def test_blocks_between_tags_and_mixed_headings(description: str, fields: dict[str, str], rest: str) -> None:
    found = sections_of(description)
    assert dict(found.fields) == fields
    assert found.rest == rest


def test_pairs_of_w_plus_plus() -> None:
    pairs = 'Age("20")\nHair("red" + "long")\nPersonality("kind" + "shy")\nLooks("tall")'
    found = sections_of(f'[Character("Lina")\n{{\n{pairs}\n}}]')
    assert dict(found.fields) == {"appearance": "Hair: red, long\ntall", "personality": "kind, shy"}
    assert found.rest == '[Character("Lina")\n{\nAge("20")\n}]'


def test_parts_of_a_field_keep_their_label() -> None:
    found = sections_of(
        "Hair: red\nEyes: green\nGoals:\n- open a bakery\n- see the sea\n说话方式：轻声\n秘密：怕火"
    )
    assert found.fields["appearance"] == "Hair: red\n\nEyes: green"
    assert listed(found.fields["goals"]) == ["open a bakery", "see the sea"]
    assert found.fields["speech"] == "轻声"
    assert found.fields["secrets"] == "怕火"
    assert found.rest == ""


@pytest.mark.parametrize(
    "description",
    [
        "",
        "Lina is a baker of the old town. She is kind.",
        "Appearance: the only label, and prose all around.",
        "Lina: Hello.\nBen: Good day.\nLina: It rains.",
        "See https://pages.example/a and https://pages.example/b.",
        "At 10:30 she leaves.\nAt 11:45 she returns.",
        "## Story\nOnce.\n## Places\nTown.",
        "## Appearance\n\n## Other\ntext",
    ],
)
def test_what_is_no_list_of_known_sections_stays(description: str) -> None:
    found = sections_of(description)
    assert dict(found.fields) == {}
    assert found.rest == description


def test_a_section_of_one_paragraph_ends_with_it() -> None:
    found = sections_of("Personality: Kind.\nAge: 20\n\nBackground: Born here.\n\nLater she left the town.")
    assert found.fields["background"] == "Born here."
    assert found.rest == "Age: 20\n\nLater she left the town."


def test_a_heading_of_a_lower_level_belongs_to_the_section() -> None:
    found = sections_of("# Background\n## Childhood\nPoor.\n## Youth\nHungry.\n# Personality\nCalm.")
    assert found.fields["background"] == "## Childhood\nPoor.\n## Youth\nHungry."


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("Appearance", Label("appearance", own=True)),
        ("**PERSONALITY**", Label("personality", own=True)),
        ("{{char}}'s backstory", Label("background", own=True)),
        ("莉娜的外貌", Label("appearance", own=True)),
        ("Looks (winter)", Label("appearance", own=True)),
        ("角色性格设定", Label("personality", own=True)),
        ("外貌与衣着", Label("appearance", own=False)),
        ("Hair and eyes", Label("appearance", own=False)),
        ("Likes/Dislikes", Label("personality", own=False)),
        ("Appearance & Personality", None),
        ("Name", None),
        ("", None),
        ("职业和外貌", None),
    ],
)
def test_labels(words: str, label: Label | None) -> None:
    assert label_of(words) == label


LABELS = st.sampled_from(
    ["Appearance", "Personality", "Trade", "Hair", "外貌", "背景故事", "职业", "Goals", "Lina", "Age"]
)
FORMS = st.sampled_from(
    [
        "## {}\n{}\n",
        "### {}\n{}\n",
        "【{}】{}\n",
        "[{}] {}\n",
        "**{}:** {}\n",
        "{}: {}\n",
        "- {}：{}\n",
        "{}:\n  {}\n\n",
        '{}("{}")\n',
        "<{0}>\n{1}\n</{0}>\n",
        "<{0}>{1}</{0}>",
    ]
)
MIXED = st.lists(st.tuples(FORMS, LABELS), max_size=9)


@given(MIXED, st.booleans())
def test_every_sentence_ends_up_in_exactly_one_field(parts: list[tuple[str, str]], prose: bool) -> None:
    sentences = [f"Sentence{number:03}x." for number in range(len(parts) + 1)]
    text = "".join(form.format(label, said) for (form, label), said in zip(parts, sentences, strict=False))
    found = sections_of(f"{sentences[-1]}\n\n{text}" if prose else f"{text}\n{sentences[-1]}")
    places = [*found.fields.values(), found.rest]
    for sentence in sentences:
        assert sum(place.count(sentence) for place in places) == 1


@given(st.text(alphabet='#【】[]<>/*:：\n -("+)aA外貌性格', max_size=200))
def test_no_word_is_ever_doubled(text: str) -> None:
    found = sections_of(text)
    kept = "".join([*found.fields.values(), found.rest])
    assert all(kept.count(sign) <= text.count(sign) for sign in "外貌性格aA")
