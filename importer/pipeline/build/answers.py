"""What a model is asked to give for each kind of entity: texts, and names for everything it refers to."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from llm.tasks import AnswerModel, Task

SHORT, LINE, TEXT, LONG = 80, 300, 2_000, 4_000
"""Characters of a name or word, of a sentence, of a paragraph, and of the longest field."""
Name = Annotated[str, Field(max_length=SHORT)]
Line = Annotated[str, Field(max_length=LINE)]
"""Items of lists are bounded too: a weak model goes on inside one until its tokens end (model-notes)."""
MOST_CARRIED = 12
"""BUILD-3."""


class Route(AnswerModel):
    start: str = Field(max_length=SHORT, description="A location's name.")
    end: str = Field(max_length=SHORT, description="The location it leads to.")


class RelationAnswer(AnswerModel):
    to: str = Field(max_length=SHORT, description="The other character's name.")
    type: str = Field(max_length=SHORT, description="Such as sister, rival, employer.")
    description: str = Field(max_length=LINE, description="What is between them; may be empty.")


class CharacterAnswer(AnswerModel):
    summary: str = Field(max_length=LINE, description="Who this is, in one sentence.")
    description: str = Field(max_length=LONG, description="What fits no other field.")
    appearance: str = Field(max_length=TEXT)
    personality: str = Field(max_length=TEXT)
    background: str = Field(max_length=LONG)
    goals: list[Line] = Field(max_length=8)
    speech_style: str = Field(max_length=LINE * 2, description="How they talk.")
    speech_examples: list[Line] = Field(max_length=6, description="Lines copied from the passages.")
    secrets: str = Field(max_length=TEXT, description="What only the game master may know.")
    tags: list[Name] = Field(max_length=8)
    starting_location: str = Field(max_length=SHORT, description="Where they are found; may be empty.")
    carries: list[Name] = Field(max_length=MOST_CARRIED, description="Things with them, named as written.")
    knows_locations: list[Name] = Field(max_length=20, description="Locations they know.")
    knows_items: list[Name] = Field(max_length=20, description="Things they know of and do not carry.")
    knows_routes: list[Route] = Field(max_length=12, description="Ways between two locations they know.")
    relations: list[RelationAnswer] = Field(max_length=16)


class ExitAnswer(AnswerModel):
    to: str = Field(max_length=SHORT, description="The location it leads to.")
    name: str = Field(max_length=SHORT, description="Such as gate, stairs; may be empty.")
    description: str = Field(max_length=LINE)
    one_way: bool
    hidden: bool = Field(description="true only where the passages say that it is hidden.")


class LocationAnswer(AnswerModel):
    kind: str = Field(max_length=SHORT, description="Such as city, inn, forest.")
    summary: str = Field(max_length=LINE, description="What this is, in one sentence.")
    description: str = Field(max_length=LONG)
    parent: str = Field(max_length=SHORT, description="The larger location it lies in; may be empty.")
    exits: list[ExitAnswer] = Field(max_length=12)
    secrets: str = Field(max_length=TEXT, description="What only the game master may know.")


class MemberAnswer(AnswerModel):
    name: str = Field(max_length=SHORT, description="A character's name.")
    role: str = Field(max_length=SHORT)


class StanceAnswer(AnswerModel):
    name: str = Field(max_length=SHORT, description="Another faction's name.")
    stance: str = Field(max_length=SHORT, description="Such as allied, at war.")


class FactionAnswer(AnswerModel):
    summary: str = Field(max_length=LINE, description="What this is, in one sentence.")
    description: str = Field(max_length=LONG)
    goals: list[Line] = Field(max_length=8)
    members: list[MemberAnswer] = Field(max_length=20)
    relations: list[StanceAnswer] = Field(max_length=12)
    base: str = Field(max_length=SHORT, description="The location it acts from; may be empty.")
    secrets: str = Field(max_length=TEXT, description="What only the game master may know.")


class ItemAnswer(AnswerModel):
    summary: str = Field(max_length=LINE, description="What this is, in one sentence.")
    description: str = Field(max_length=LONG)
    held_by: str = Field(max_length=SHORT, description="The character who has it; may be empty.")
    location: str = Field(max_length=SHORT, description="Where it lies, if nobody has it; may be empty.")
    portable: bool = Field(description="Whether one person can carry it.")
    secrets: str = Field(max_length=TEXT, description="What only the game master may know.")


CHARACTER = Task("character", CharacterAnswer, 3_500)
LOCATION = Task("location", LocationAnswer, 2_000)
FACTION = Task("faction", FactionAnswer, 2_000)
ITEM = Task("item", ItemAnswer, 1_200)
EntityAnswer = CharacterAnswer | LocationAnswer | FactionAnswer | ItemAnswer
