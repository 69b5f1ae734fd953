"""A game's pictures as a page may show them: shapes, colours and words, and nothing that runs or loads.

defusedxml reads an `art.svg` as XML, and a page gets what was read, written anew: only the elements
and attributes that are listed here. Notes of drawing programs are left out. The pages allow no
inline styles, but drawing programs write them. So each different `style="..."` becomes a class, and
a rule for it in the game's stylesheet. Rules of classes hold in symbols too, wherever a piece shows
one.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from xml.sax import SAXParseException
from xml.sax.handler import ContentHandler, feature_namespaces
from xml.sax.xmlreader import AttributesNSImpl, Locator

from parlour.core.stylesheet import declarations

Name = tuple[str | None, str]  # the namespace, and the name in it

SVG, XLINK, XML, XHTML = (
    "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink", "http://www.w3.org/XML/1998/namespace",
    "http://www.w3.org/1999/xhtml",
)  # fmt: skip


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


ELEMENTS = _names(
    """
    svg g defs symbol use path rect circle ellipse line polyline polygon image text tspan textPath
    linearGradient radialGradient stop pattern clipPath mask marker
    filter feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap
    feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology
    feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence
    """
)
PROPERTIES = _names(  # attributes with values as in CSS
    """
    alignment-baseline baseline-shift clip-path clip-rule color color-interpolation color-interpolation-filters
    color-rendering cursor direction display dominant-baseline fill fill-opacity fill-rule filter flood-color
    flood-opacity font-family font-size font-size-adjust font-stretch font-style font-variant font-weight
    image-rendering letter-spacing lighting-color marker-end marker-mid marker-start mask mask-type opacity overflow
    paint-order pointer-events shape-rendering stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
    stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration
    text-rendering transform-origin unicode-bidi vector-effect visibility word-spacing writing-mode
    """
)
ATTRIBUTES = PROPERTIES | _names(
    """
    id class style href xml:space
    x y x1 y1 x2 y2 width height cx cy r rx ry fx fy fr d points viewBox preserveAspectRatio pathLength transform
    dx dy rotate textLength lengthAdjust startOffset method side spacing
    offset gradientUnits gradientTransform spreadMethod patternUnits patternContentUnits patternTransform
    clipPathUnits maskUnits maskContentUnits markerUnits markerWidth markerHeight refX refY orient
    filterUnits primitiveUnits in in2 result mode type values operator k1 k2 k3 k4 stdDeviation order kernelMatrix
    kernelUnitLength divisor bias targetX targetY edgeMode preserveAlpha surfaceScale diffuseConstant specularConstant
    specularExponent limitingConeAngle pointsAtX pointsAtY pointsAtZ azimuth elevation z scale xChannelSelector
    yChannelSelector baseFrequency numOctaves seed stitchTiles radius tableValues slope intercept amplitude exponent
    """
)
NOTES = frozenset(("title", "desc", "metadata"))  # elements that draw nothing
SAID = re.compile(r"aria-[a-z]+|role|focusable|version|baseProfile|data-name|enable-background")  # such attributes
BITMAP = re.compile(r"data:image/(?:png|jpeg|gif|webp|avif);base64,")
LINKS = 'it begins with "#" and names something in the picture; that of an <image> may be "data:image/png;base64,...".'
LISTED = "docs/add-a-game.md lists the attributes that are, in section 8."
ROOT = {"xmlns": SVG, "width": "0", "height": "0", "aria-hidden": "true"}  # symbols are shown where a piece has them


@cache  # every page has it
def unstyled(svg: str, name: str) -> tuple[str, str]:
    """Return the pictures of the game called `name` without style attributes, and rules instead.

    Raises ValueError, which says what is wrong with them.
    """
    import defusedxml.sax  # here: processes that neither draw nor check a game need not load it

    if not svg.strip():
        return "", ""
    parser = defusedxml.sax.make_parser()
    picture = _Picture(name, parser)
    parser.forbid_dtd = True
    parser.setFeature(feature_namespaces, True)
    parser.setContentHandler(picture)
    try:
        parser.feed(svg)
        parser.close()
    except SAXParseException as error:
        raise picture.wrong(f"this is not XML: {error.getMessage()}.") from None
    except defusedxml.DefusedXmlException:
        raise picture.wrong("a DOCTYPE is not allowed, nor entities that it declares; leave them out.") from None
    return "".join(picture.written), "".join(f".{made}{{{said}}}" for said, made in picture.classes.items())


class _Picture(ContentHandler):
    """Takes what is read from a picture, and writes what a page gets."""

    def __init__(self, name: str, place: Locator) -> None:
        super().__init__()
        self.written: list[str] = []
        self.classes: dict[str, str] = {}  # by the declarations that each means
        self._name = name
        self._place = place  # that was reached
        self._tags: list[str] = []  # of the elements that are open, "" for a note and all in it
        self._empty = False  # whether the last tag written still lacks its ">"

    def wrong(self, why: str) -> ValueError:
        """Return an error with the line that was reached."""
        return ValueError(f"line {self._place.getLineNumber()}: {why}")

    def startElementNS(self, name: Name, _qname: str | None, attrs: AttributesNSImpl) -> None:
        space, tag = name
        if not self._tags and tag != "svg":
            raise self.wrong(f"the picture must be one <svg> with a <symbol> for each face, not <{tag}>.")
        if self._tags and (not self._tags[-1] or tag in NOTES or space not in (None, SVG, XHTML)):
            self._tags.append("")
            return
        if space == XHTML or tag not in ELEMENTS:
            raise self.wrong(f"<{tag}> is not allowed in a picture; allowed are {', '.join(sorted(ELEMENTS))}.")
        kept = self._kept(tag, attrs)
        self._write(f"<{tag}")
        for key, value in (kept if self._tags else ROOT).items():
            quoted = escape(value, quote=False).replace('"', "&quot;")
            self.written.append(f' {key}="{quoted}"')
        self._tags.append(tag)
        self._empty = True

    def endElementNS(self, _name: Name, _qname: str | None) -> None:
        if tag := self._tags.pop():
            self.written.append("/>" if self._empty else f"</{tag}>")
            self._empty = False

    def characters(self, content: str) -> None:
        if self._tags[-1]:
            self._write(escape(content, quote=False))

    def _write(self, text: str) -> None:
        self.written.append(f">{text}" if self._empty else text)
        self._empty = False

    def _kept(self, tag: str, attrs: AttributesNSImpl) -> dict[str, str]:
        """Return the attributes that a page gets, the style as a class."""
        kept: dict[str, str] = {}
        for (space, key), value in attrs.items():
            if space == XLINK and key == "href":
                kept.setdefault(key, value)
            elif space == XML and key == "space":
                kept["xml:space"] = value
            elif space is None and not SAID.fullmatch(key):
                kept[key] = value
        for key, value in kept.items():
            if key not in ATTRIBUTES:
                raise self.wrong(f"{key} is not allowed in a picture; {LISTED}")
            if key == "href" and not value.startswith("#") and not (tag == "image" and BITMAP.match(value)):
                raise self.wrong(f"{value[:40]!r} is not allowed as href; {LINKS}")
            if key in PROPERTIES and "(" in value:
                self._declared(key, f"{key}:{value}")
        if said := self._declared("style", kept.pop("style", "")):
            made = self.classes.setdefault(said, f"game-{self._name}-style-{len(self.classes)}")
            kept["class"] = f"{made} {kept.get('class', '')}".strip()
        return kept

    def _declared(self, key: str, css: str) -> str:
        """Return the declarations of an attribute, once checked."""
        try:
            return declarations(css)
        except ValueError as error:
            raise self.wrong(f"{key}: {str(error).partition(': ')[2] or error}") from None
