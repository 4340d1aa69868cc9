"""Words for what files spell as codes."""

from django import template

from worlds.element_list import prompt_title as title_of_prompt
from worlds.words import choice_word as word_of_choice

register = template.Library()


@register.filter
def choice_word(value: str) -> str:
    """The word for a stored code, such as the type of a lore entry."""
    return word_of_choice(value)


@register.filter
def prompt_title(key: str) -> str:
    """A prompt's title with the language it is for."""
    return title_of_prompt(key)
