"""A game's pictures draw, and neither run nor load anything; what a page gets of them is what was read."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.core.artwork import ATTRIBUTES, BITMAP, ELEMENTS, NOTES, unstyled
from parlour.games import all_games

PAGE = Path(__file__).parents[2] / "docs" / "add-a-game.md"
OPEN = '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">'
SPACES = (
    'xmlns="http://www.w3.org/2000/svg" xmlns:svg="http://www.w3.org/2000/svg" xmlns:h="http://www.w3.org/1999/xhtml"'
)
SPACES += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:ink="http://www.inkscape.org/namespaces/inkscape"'


def drawn(inside: str) -> str:
    """What a page gets of a picture with this in it."""
    picture, _ = unstyled(f"<svg {SPACES}>\n{inside}</svg>", "pig")
    assert picture.startswith(f"{OPEN}\n")
    assert picture.endswith("</svg>")
    return picture[len(OPEN) + 1 : -len("</svg>")]


class Seen(HTMLParser):
    """Reads a picture as a page does, and sees whether anything is in it that a page may not get."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in {name.lower() for name in ELEMENTS}
        for key, value in attrs:
            assert key in {name.lower() for name in ATTRIBUTES} - {"style"} | {"xmlns", "aria-hidden"}
            assert key != "href" or str(value).startswith("#") or (tag == "image" and BITMAP.match(str(value)))

    def handle_decl(self, decl: str) -> None:
        raise AssertionError(decl)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_pi = unknown_decl = handle_comment


@pytest.mark.parametrize("name", list(all_games()))
def test_the_pictures_of_each_game_lose_only_their_styles(name: str) -> None:
    art = all_games()[name].art
    picture, rules = unstyled(art, name)
    Seen().feed(picture)
    assert re.sub(r' class="game-[\w-]*"', "", picture) == re.sub(r' style="[^"]*"', "", art.strip())
    assert rules.count("{") == len(set(re.findall(r' style="([^"]*)"', art)))


def test_style_attributes_become_classes() -> None:
    svg = (
        '<svg><g style="fill:red"><use href="#a" class="b" style="--x:1;fill:url(#c)"/></g>'
        "<path d='M0 0' style='fill:red;/* as above */ '/><g style=\"\" id='d'></g></svg>"
    )
    picture, rules = unstyled(svg, "pig")
    assert picture == (
        f'{OPEN}<g class="game-pig-style-0"><use href="#a" class="game-pig-style-1 b"/></g>'
        '<path d="M0 0" class="game-pig-style-0"/><g id="d"/></svg>'
    )
    assert rules == ".game-pig-style-0{fill:red;}.game-pig-style-1{--x:1;fill:url(#c);}"


def test_a_game_need_not_have_pictures() -> None:
    assert unstyled("", "pig") == unstyled("\n", "pig") == ("", "")


@pytest.mark.parametrize(
    ("svg", "page"),
    [
        ('<svg:g xlink:href="#a"/>', '<g href="#a"/>'),
        ('<use href="#b" xlink:href="#a"/><use xlink:href="#a" href="#b"/>', '<use href="#b"/><use href="#b"/>'),
        (
            '<text xml:space="preserve"> &lt;b&gt; &amp; &#233;</text>',
            '<text xml:space="preserve"> &lt;b&gt; &amp; é</text>',
        ),
        ("<text><![CDATA[<script>1</script>]]></text>", "<text>&lt;script&gt;1&lt;/script&gt;</text>"),
        ('<g id="&quot;&gt;&lt;script&gt;"/>', '<g id="&quot;&gt;&lt;script&gt;"/>'),
        ("<!-- <script> --><?php 1 ?><g/>", "<g/>"),
        ('<metadata><a href="x"/>words</metadata><title>x</title><desc><h:script>1</h:script></desc>', ""),
        ('<ink:view onload="1"><g/></ink:view><g ink:label="a" data-name="b" role="img" aria-label="c"/>', "<g/>"),
        ('<image href="data:image/png;base64,AA=="/>', '<image href="data:image/png;base64,AA=="/>'),
        (
            '<path fill="url(#a)" filter="url(\'#b\') blur(2px)"/>',
            '<path fill="url(#a)" filter="url(\'#b\') blur(2px)"/>',
        ),
    ],
)
def test_what_draws_is_written_anew_and_notes_are_left_out(svg: str, page: str) -> None:
    assert drawn(svg) == page
    Seen().feed(page)


def test_the_outermost_svg_is_the_page_s_own() -> None:
    """Otherwise it could cover the page."""
    svg = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<svg style="position:fixed" width="9999" height="9999" id="a"/>'
    assert unstyled(svg, "pig")[0] == f"{OPEN[:-1]}/>"


LOOK = 'a look cannot load files; url() takes a text that begins with "# or "data:.'


@pytest.mark.parametrize(
    ("inside", "why"),
    [
        # Elements that run, load, or hold what is not a picture.
        ("<script>1</script>", "<script> is not allowed in a picture; allowed are circle, clipPath, defs, ellipse, "),
        ("<SCRIPT>1</SCRIPT>", "<SCRIPT> is not allowed in a picture"),
        ("<svg:script>1</svg:script>", "<script> is not allowed in a picture"),
        ("<h:script>1</h:script>", "<script> is not allowed in a picture"),
        ("<h:g/>", "<g> is not allowed in a picture"),
        ("<style>p{}</style>", "<style> is not allowed in a picture"),
        ("<foreignObject><h:body/></foreignObject>", "<foreignObject> is not allowed in a picture"),
        ('<a href="#b"/>', "<a> is not allowed in a picture"),
        ('<handler type="text/javascript"/>', "<handler> is not allowed in a picture"),
        ("<iframe/>", "<iframe> is not allowed in a picture"),
        # Elements that give others another address or event handler.
        ('<animate attributeName="href" to="javascript:1"/>', "<animate> is not allowed in a picture"),
        ('<set attributeName="onclick" to="1"/>', "<set> is not allowed in a picture"),
        ('<animateTransform onbegin="1"/>', "<animateTransform> is not allowed in a picture"),
        ('<feImage href="#a"/>', "<feImage> is not allowed in a picture"),
        # Attributes that run.
        ('<g onload="1"/>', "onload is not allowed in a picture; docs/add-a-game.md lists"),
        ('<g ONLOAD="1"/>', "ONLOAD is not allowed in a picture"),
        ('<g\n\t/>\n<g\nonload = "1"/>', "onload is not allowed in a picture"),
        ("<g/onload=1>", "this is not XML: "),
        ('<g/onload="1"/>', "this is not XML: "),
        ('<g id="a"onload="1"/>', "this is not XML: "),
        ("<g onload=1/>", "this is not XML: "),
        ("<g onload/>", "this is not XML: "),
        # Attributes that the page's own scripts read.
        ('<g data-action="roll"/>', "data-action is not allowed in a picture"),
        # Addresses.
        ('<use href="javascript:1"/>', "'javascript:1' is not allowed as href; it begins with \"#\""),
        ('<use xlink:href="JavaScript:1"/>', "'JavaScript:1' is not allowed as href"),
        ('<use href=" java&#10;script:1"/>', "' java\\nscript:1' is not allowed as href"),
        ('<use href="https://evil.test/x.svg#a"/>', "'https://evil.test/x.svg#a' is not allowed as href"),
        ('<use href="//evil.test/x.svg#a"/>', "'//evil.test/x.svg#a' is not allowed as href"),
        ('<use href=" #a"/>', "' #a' is not allowed as href"),
        ('<use href=""/>', "'' is not allowed as href"),
        ('<use href="data:image/svg+xml,&lt;svg/&gt;#a"/>', "'data:image/svg+xml,<svg/>#a' is not allowed as href"),
        ('<use href="data:image/png;base64,AA=="/>', "'data:image/png;base64,AA==' is not allowed as href"),
        ('<image href="data:image/svg+xml;base64,AA=="/>', "'data:image/svg+xml;base64,AA==' is not allowed as href"),
        ('<image href="https://evil.test/x.png"/>', "'https://evil.test/x.png' is not allowed as href"),
        ('<linearGradient href="x.svg#a"/>', "'x.svg#a' is not allowed as href"),
        ('<g src="#a"/>', "src is not allowed in a picture"),
        # Styles, and attributes with values as in CSS.
        ('<g style="fill:red}body{display:none"/>', "style: } closes nothing here"),
        ('<g style="fill:red;.a{fill:red}"/>', "style: only properties and their values are allowed here."),
        ("<g style=\"@import 'x.css'\"/>", "style: @import is not allowed here; @media, "),
        ('<g style="/*"/>', "style: a rule, bracket, text or comment has no end."),
        ('<g style="fill:red/*"/>', "style: a rule, bracket, text or comment has no end."),
        ('<g style="fill:url(https://evil.test/x)"/>', f"style: {LOOK}"),
        ('<g style="fill:url(&#34;https://evil.test/x&#34;)"/>', f"style: {LOOK}"),
        ('<g style="fill:u\\72l(//evil.test/x)"/>', f"style: {LOOK}"),
        ('<g style="background:URL(x)"/>', f"style: {LOOK}"),
        ('<g style="width:expression(1)"/>', f"style: expression() is not allowed; {LOOK}"),
        ('<g STYLE="fill:red"/>', "STYLE is not allowed in a picture"),
        ('<g fill="url(https://evil.test/x#a)"/>', f"fill: {LOOK}"),
        ('<g filter="blur(1px) url(x)"/>', f"filter: {LOOK}"),
        ('<g cursor="image-set(&#34;x&#34; 1x)"/>', f"cursor: image-set() is not allowed; {LOOK}"),
        ('<g mask="u&#92;72l(x)"/>', f"mask: {LOOK}"),
        # What is read otherwise than it looks.
        ("<text>&nbsp;</text>", "this is not XML: undefined entity."),
        ('<use xl:href="#a"/>', "this is not XML: unbound prefix."),
        ("<g>", "this is not XML: mismatched tag."),
        ("<lineargradient/>", "<lineargradient> is not allowed in a picture"),
    ],
)
def test_what_is_no_picture_is_refused_with_its_line(inside: str, why: str) -> None:
    line = 3 + inside.count("\n") - (1 if "\n" in inside and "onload =" in inside else 0)
    with pytest.raises(ValueError, match=f"^line {line}: {re.escape(why)}"):
        unstyled(f"<svg {SPACES}>\n\n{inside}</svg>", "pig")


@pytest.mark.parametrize(
    ("svg", "why"),
    [
        ("<g/>", "line 1: the picture must be one <svg> with a <symbol> for each face, not <g>."),
        ("<title/>", "line 1: the picture must be one <svg>"),
        ('<svg onload="1"/>', "line 1: onload is not allowed"),
        ("<svg/><svg/>", "line 1: this is not XML: junk after document element."),
        ("<svg/>\n<script>1</script>", "line 2: this is not XML: junk after document element."),
        ("words", "line 1: this is not XML: "),
        ('\n<?xml version="1.0"?><svg/>', "line 2: this is not XML: "),
        ('<!DOCTYPE svg [<!ENTITY a "<script/>">]>\n<svg>&a;</svg>', "line 1: a DOCTYPE is not allowed"),
        ('<!DOCTYPE svg SYSTEM "file:///etc/passwd">\n<svg/>', "line 1: a DOCTYPE is not allowed"),
    ],
)
def test_what_is_not_one_svg_is_refused(svg: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}"):
        unstyled(svg, "pig")


WORDS = st.sampled_from(
    ("</g>", "<!--", "-->", "<![CDATA[<script>", "]]>", "<?", "?>", "<h:g/>", "&lt;script>", "'", '"', "")
)
TAGS = st.builds(
    "<{0} {1}={2}>{3}</{0}>".format,
    st.sampled_from(("g", "svg:g", "use", "image", "text", "title", "SCRIPT")),
    st.sampled_from(("id", "class", "style", "fill", "href", "xlink:href", "onload", "aria-label", "id='' class")),
    st.sampled_from(
        (
            '"#a"',
            "'\"/&gt;&lt;script&gt;'",
            '"&#34;&gt;&lt;script>"',
            '"fill:red"',
            '"data:image/png;base64,A"',
            '"a:1"',
        )
    ),
    WORDS,
)


@given(st.lists(TAGS | WORDS, max_size=6).map("".join))
def test_whatever_is_let_in_draws_alone(inside: str) -> None:
    try:
        page = drawn(inside)
    except ValueError:
        return
    Seen().feed(page)


def test_the_page_for_authors_lists_what_is_allowed() -> None:
    words = PAGE.read_text("utf-8")
    listed = [set(found.split()) for found in re.findall(r"^ *```text\n(.*?)^ *```", words, re.M | re.S)]
    assert ELEMENTS in listed
    assert ATTRIBUTES in listed
    assert all(f"`<{name}>`" in words for name in NOTES)
