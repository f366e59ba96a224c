"""The peer of the loader: PyTorch's DataLoader with the reference's transforms, 2 workers.

loader_peer.py FOLDER SECONDS: prints images/s. It is torchvision itself; its wheel wants operators of a CUDA build at
import, which are defined here and never called.
"""
import sys
import time

import torch

library = torch.library.Library("torchvision", "DEF")
library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
from torchvision import datasets, transforms  # noqa: E402

SIZE, BATCH, WORKERS = 64, 64, 2


def main():
    folder, seconds = sys.argv[1], float(sys.argv[2])
    data = datasets.ImageFolder(
        folder,
        transforms.Compose(
            [
                transforms.Resize(SIZE),
                transforms.CenterCrop(SIZE),
                transforms.ToTensor(),
                transforms.Normalize((0.5,) * 3, (0.5,) * 3),
            ]
        ),
    )
    loader = torch.utils.data.DataLoader(
        data, batch_size=BATCH, shuffle=True, num_workers=WORKERS, drop_last=True, persistent_workers=True
    )

    def batches():
        while True:
            yield from loader

    stream = batches()
    next(stream)
    start, images = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        images += len(next(stream)[0])
    print(images / (time.perf_counter() - start))


if __name__ == "__main__":
    main()
