"""The few shapes that the architecture picture is made of, as SVG text."""
from html import escape

INK, SOFT, PAPER = "#1f2933", "#5b6770", "#ffffff"
FONT = "font-family=\"'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', sans-serif\""


class Canvas:
    def __init__(self, width, height):
        self.width, self.height, self.parts, self.colours = width, height, [], set()

    def text(self, x, y, words, size=12, colour=INK, weight="normal", anchor="start"):
        self.parts.append(f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" font-weight="{weight}" '
                          f'text-anchor="{anchor}">{escape(words)}</text>')

    def frame(self, x, y, width, height, title, colour=SOFT, fill="none", dashed=False, note=""):
        """A region, network or subnet: something that holds boxes."""
        dash = ' stroke-dasharray="6 4"' if dashed else ""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="10" fill="{fill}" stroke="{colour}" '
                          f'stroke-width="1.5"{dash}/>')
        self.text(x + 14, y + 22, title, 13, colour, "bold")
        if note:
            self.text(x + width - 14, y + 22, note, 12, colour, anchor="end")

    def box(self, x, y, width, height, title, lines, colour):
        """A part: a title on a bar in its module's colour, and lines below."""
        self.parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="6" fill="{PAPER}" stroke="{colour}" '
                          f'stroke-width="1.5"/>')
        self.parts.append(f'<path d="M{x} {y + 26}V{y + 6}a6 6 0 0 1 6 -6h{width - 12}a6 6 0 0 1 6 6v20z" fill="{colour}"/>')
        self.text(x + 10, y + 18, title, 13, PAPER, "bold")
        for number, line in enumerate(lines):
            self.text(x + 10, y + 44 + 17 * number, line, 11.5)

    def arrow(self, points, colour, label="", at=None, dashed=False, anchor="start"):
        """A line through the points with a head at the last; the label stands at `at`, on paper so that lines do not strike it."""
        self.colours.add(colour)
        path = "M" + "L".join(f"{x} {y}" for x, y in points)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"{dash} '
                          f'marker-end="url(#head{colour[1:]})"/>')
        if label:
            x, y = at
            width = 7.2 * len(label) + 8
            left = {"start": x - 4, "middle": x - width / 2, "end": x - width + 4}[anchor]
            self.parts.append(f'<rect x="{left:.0f}" y="{y - 12}" width="{width:.0f}" height="16" rx="3" fill="{PAPER}" opacity="0.92"/>')
            self.text(x, y, label, 11.5, colour, "bold", anchor)

    def svg(self, title):
        heads = "".join(f'<marker id="head{colour[1:]}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" '
                        f'orient="auto-start-reverse"><path d="M0 0L10 5L0 10z" fill="{colour}"/></marker>'
                        for colour in sorted(self.colours))
        return "\n".join([
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" width="{self.width}" '
            f'height="{self.height}" role="img" {FONT}>',
            f"<title>{escape(title)}</title>", f"<defs>{heads}</defs>",
            f'<rect width="{self.width}" height="{self.height}" rx="12" fill="{PAPER}"/>', *self.parts, "</svg>", ""])
