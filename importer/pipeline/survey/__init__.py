"""What a card is about, found piece by piece: the first of the three steps in which a model is asked."""
