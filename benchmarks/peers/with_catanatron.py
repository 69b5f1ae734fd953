"""Catanatron: games of four random players."""

import random

from serving import serve


def make():
    yield "python", "four random players", "facets-of-fortune", "steps/s", games()
    yield "games", "four random players", "facets-of-fortune", "games/s", games(whole=True)


def games(whole=False):
    from catanatron import Color, Game, RandomPlayer

    random.seed(1)

    def piece():
        game = Game([RandomPlayer(color) for color in Color])
        game.play()
        return 1 if whole else len(game.state.actions)

    return piece


serve("catanatron", "catanatron", make)
