"""What every game must pass, wherever it is from: `parlour check`, and the tests of Parlour's own
games."""
