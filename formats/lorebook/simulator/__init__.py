"""The activation simulator: what lorebooks do at one moment of a story, for play and for the match tester.

`simulate` follows SillyTavern's rules step by step, beside the stateless candidates of the contract. Dice,
the clock (the length of the story), the pattern engine and the token counter are arguments; timed effects go
in and come out as a value. It reads the fields of the model only, never the raw book.

Where SillyTavern's own code goes against what it means to do, this module does what is meant:

* A member that loses in two groups takes no other entry with it.
* A group that has a member from an earlier step stays closed also where the entry names several groups.
* Who lost in a group does not come back in a later step of the scan.
* A probability of 0 never passes, and a weight of 0 never wins, also at a roll of exactly 0.
* An entry that the budget cut wakes nobody, and its text takes nothing from the others.
* Every accepted entry counts once in the budget, one that ignores the budget not at all, and one that wakes
  nobody like any other.
* A key of blanks is no key.
* Groups that go by score count keys as they are matched: with macros filled and blanks off.
* Outlets are in ascending order like every other place, and at one depth the order decides over the role.
* Decorators end at every line ending, one whose name only begins like another's is not taken for it, and
  one that stands alone in a text is not sent.
* With recursion off no entry wakes another, also while entries that wait for a level get their steps.
* A search further back stops at the depth set for it, not one message after.
* An effect of n messages lasts n messages, as the documentation counts, not one less.
* What the book says (depth, budget, recursion) holds for its entries.
* Names and tags of a filter hold also where a scene has no character: what is meant for somebody stays out.

An entry marked for vector search is woken by its keys, as in SillyTavern. A place for the author's note is
used by the caller in a turn that has the note.
"""

from formats.lorebook.simulator.budget import BudgetUse
from formats.lorebook.simulator.parts import Hit
from formats.lorebook.simulator.placing import DepthPlace, Placed, PlacedEntry
from formats.lorebook.simulator.reasons import Reason
from formats.lorebook.simulator.run import simulate
from formats.lorebook.simulator.scene import (
    Book,
    Dice,
    Scene,
    SceneCharacter,
    SceneMessage,
    Sources,
    fixed_dice,
    name_macros,
)
from formats.lorebook.simulator.settings import DEFAULT_RECURSION, DEFAULT_SCAN_DEPTH, ScanSettings
from formats.lorebook.simulator.timed import TimedEffect, TimedState
from formats.lorebook.simulator.verdicts import Activation, Step, Verdict

__all__ = [
    "DEFAULT_RECURSION",
    "DEFAULT_SCAN_DEPTH",
    "Activation",
    "Book",
    "BudgetUse",
    "DepthPlace",
    "Dice",
    "Hit",
    "Placed",
    "PlacedEntry",
    "Reason",
    "ScanSettings",
    "Scene",
    "SceneCharacter",
    "SceneMessage",
    "Sources",
    "Step",
    "TimedEffect",
    "TimedState",
    "Verdict",
    "fixed_dice",
    "name_macros",
    "simulate",
]
