"""The one door to the outside network: which addresses may be spoken to, and bounded downloads from them."""
