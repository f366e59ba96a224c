"""Tables of MSLS that tests write."""


def write_sequences(images, keys, frames):
    """The table that says which photographs follow each other: `frames` to a sequence."""
    rows = [f"{i},{key},drive{i // frames},{i % frames}" for i, key in enumerate(keys)]
    (images.parent / "seq_info.csv").write_text("\n".join([",key,sequence_key,frame_number", *rows]) + "\n")
