"""A bar chart as SVG, without a library."""
import math
from xml.sax.saxutils import escape

LEFT, WIDTH, BAR, GAP = 20, 860, 16, 44
RATE_COLOUR, CPU_COLOUR = "#2b6cb0", "#dd8f2d"


def text(x, y, words, size=13, anchor="start", colour="#1a202c"):
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{escape(words)}</text>'


def bar(y, length, colour, label):
    return (f'<rect x="{LEFT}" y="{y}" width="{length:.0f}" height="{BAR}" fill="{colour}"/>'
            + text(LEFT + length + 6, y + BAR - 3, label, 12))


def ratio_bars(title, bars):
    """`bars`: (title, peer, ratio of events/s, ratio of events per CPU-second). Lengths are logarithmic from 1."""
    most = max([max(rate, cpu) for _, _, rate, cpu in bars] + [10])
    scale = (WIDTH - LEFT - 80) / math.log10(most)
    parts, y = [text(LEFT, 24, title, 15)], 42
    for colour, x, words in ((RATE_COLOUR, LEFT, "events/s"), (CPU_COLOUR, LEFT + 100, "events per CPU-second")):
        parts += [f'<rect x="{x}" y="{y}" width="12" height="12" fill="{colour}"/>', text(x + 18, y + 11, words, 12)]
    y += 34
    for name, peer, rate, cpu in bars:
        parts.append(text(LEFT, y, f"{name} (÷ {peer})"))
        for offset, ratio, colour in ((6, rate, RATE_COLOUR), (6 + BAR + 2, cpu, CPU_COLOUR)):
            parts.append(bar(y + offset, max(math.log10(max(ratio, 1)) * scale, 2), colour, f"{ratio:.1f}"))
        y += 2 * BAR + GAP
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" font-family="sans-serif">'
            f'<rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n')
