"""Pictures made of pictures: sheets side by side with their names, how a run's pictures changed, and small JPEG files."""
import math

from PIL import Image, ImageDraw, ImageFont

PAPER, INK, FAINT = "#ffffff", "#202020", "#6a6a6a"
QUALITY = 88
PADDING = 2  # pixels between the pictures of the program's sheets, which have 8 columns
COLUMNS = 8


def text_at(draw, place, text, size, fill=INK):
    draw.text(place, text, fill=fill, font=ImageFont.load_default(size))


def contact_sheet(title, named, columns=4, gap=28):
    """Sheets of one size with a name and a line below it above each; `named` lists (name, line, sheet)."""
    columns = min(columns, len(named))
    width, height = named[0][2].size
    head, label = 84, 62
    rows = math.ceil(len(named) / columns)
    paper = Image.new("RGB", (gap + columns * (width + gap), head + rows * (height + label + gap)), PAPER)
    draw = ImageDraw.Draw(paper)
    text_at(draw, (gap, 24), title, 34)
    for place, (name, line, sheet) in enumerate(named):
        x, y = gap + place % columns * (width + gap), head + place // columns * (height + label + gap)
        text_at(draw, (x, y), name, 26)
        text_at(draw, (x, y + 32), line, 20, FAINT)
        paper.paste(sheet.convert("RGB"), (x, y + label))
    return paper


def top_of_sheet(sheet, pictures):
    """The first pictures of a sheet of 8 columns, by rows."""
    side = (sheet.width - PADDING) // COLUMNS
    corners = [(PADDING + place % COLUMNS * side, PADDING + place // COLUMNS * side) for place in range(pictures)]
    return [sheet.crop((x, y, x + side - PADDING, y + side - PADDING)) for x, y in corners]


def progress_strip(epochs, sheets, rows=4):
    """A column for each epoch: the same latent vectors further and further on."""
    columns = [top_of_sheet(sheet.convert("RGB"), rows) for sheet in sheets]
    side, label = columns[0][0].width + PADDING, 20
    strip = Image.new("RGB", (len(columns) * side + PADDING, label + rows * side), PAPER)
    draw = ImageDraw.Draw(strip)
    for place, (epoch, pictures) in enumerate(zip(epochs, columns)):
        text_at(draw, (PADDING + place * side, 2), f"epoch {epoch}", 12, FAINT)
        for row, picture in enumerate(pictures):
            strip.paste(picture, (PADDING + place * side, label + row * side))
    return strip


def save_jpeg(picture, file, width=None):
    """Shrunk to a width, where one is given and it is wider."""
    picture = picture.convert("RGB")
    if width and picture.width > width:
        picture = picture.resize((width, round(picture.height * width / picture.width)), Image.Resampling.LANCZOS)
    file.parent.mkdir(parents=True, exist_ok=True)
    picture.save(file, quality=QUALITY, optimize=True)
