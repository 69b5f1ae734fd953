"""`parlour notes`: what other values of an edition would change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parlour.cli import output


def notes(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Questions, as in docs/notes-to-the-authors.toml.")],
    only: Annotated[
        list[str] | None, typer.Option("--only", metavar="NAME", help="Only this question; can be given several times.")
    ] = None,
    threads: Annotated[int | None, typer.Option("--threads", min=1, help="Threads.  [default: one per core]")] = None,
    write: Annotated[bool, typer.Option("--write", help="Write the tables into the page, FILE with .md.")] = False,
) -> None:
    """Play the games that a file of questions asks for, with an edition as it is and with other values, and count.

    Prints a table for each question. Answers are kept beside the file (.json) as soon as they are there: only what is
    new or has changed is played. --write also rewrites the tables in the page, and the figures that its prose quotes.

    Examples: `parlour notes docs/notes-to-the-authors.toml`, `parlour notes my.toml --only length --write`
    """
    from parlour.analysis import figures
    from parlour.analysis import notes as asked

    if not file.is_file():
        raise output.NoFile(f"{file} doesn't exist.")
    questions = asked.read(file)
    answers = asked.Answers(file.with_suffix(".json"))
    chosen = [one for one in questions if not only or one.name in only]
    trials = [trial for question in chosen for trial in question.trials]
    with output.progress("playing", "compiling (the first time only)") as tell:
        for trial in trials:
            if answers.of(trial) is None:
                answers.add(trial, asked.play(trial, threads, tell))
    answers.prune(questions)
    for question in chosen:
        output.markdown(f"**{question.name}**\n\n{asked.table(question, answers)}")
    if write:
        page = file.with_suffix(".md")
        figures.write(page, asked.tabled(page.read_text("utf-8") if page.exists() else "", questions, answers))
