"""What needs no model: six small modules of plain functions, each tried by the unit cases."""
