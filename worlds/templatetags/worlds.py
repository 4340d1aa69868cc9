"""Words for what files spell as codes."""

from django import template

from worlds.element_list import prompt_title as title_of_prompt
from worlds.words import choice_word as word_of_choice

register = template.Library()
SHOWN = 48


@register.filter
def choice_word(value: str) -> str:
    """The word for a stored code, such as the type of a lore entry."""
    return word_of_choice(value)


@register.filter
def shortened(path: str) -> str:
    """A path with its middle left out where it is long; the ending stays."""
    return path if len(path) <= SHOWN else f"{path[: SHOWN - 14]}…{path[-12:]}"


@register.filter
def in_folder(path: str, folder: str) -> str:
    """A path without the folder it is listed under."""
    return path.removeprefix(f"{folder}/") if folder else path


@register.filter
def prompt_title(key: str) -> str:
    """A prompt's title with the language it is for."""
    return title_of_prompt(key)
