"""The checks that every game must pass: `parlour check`, and the tests of Parlour's own games."""
