"""A card's pieces written as documents of a world: the second of the three steps that ask a model."""
