"""A small shop: prices and what is taken off them."""
