"""The reference's networks in PyTorch, for the tests that compare."""
from torch import nn


def generator(nz, ngf, size):
    width = ngf * size // 8
    layers = [nn.ConvTranspose2d(nz, width, 4, 1, 0, bias=False), nn.BatchNorm2d(width), nn.ReLU(True)]
    while width > ngf:
        layers += [nn.ConvTranspose2d(width, width // 2, 4, 2, 1, bias=False), nn.BatchNorm2d(width // 2), nn.ReLU(True)]
        width //= 2
    layers += [nn.ConvTranspose2d(width, 3, 4, 2, 1, bias=False), nn.Tanh()]
    return in_main(layers)


def discriminator(ndf, size):
    layers = [nn.Conv2d(3, ndf, 4, 2, 1, bias=False), nn.LeakyReLU(0.2, inplace=True)]
    width, side = ndf, size // 2
    while side > 4:
        layers += [nn.Conv2d(width, width * 2, 4, 2, 1, bias=False), nn.BatchNorm2d(width * 2), nn.LeakyReLU(0.2, inplace=True)]
        width, side = width * 2, side // 2
    layers += [nn.Conv2d(width, 1, 4, 1, 0, bias=False)]
    return in_main(layers)


def in_main(layers):
    network = nn.Module()
    network.main = nn.Sequential(*layers)
    return network


def initialise(module):
    if isinstance(module, (nn.Conv2d, nn.ConvTranspose2d)):
        nn.init.normal_(module.weight, 0, 0.02)
    elif isinstance(module, nn.BatchNorm2d):
        nn.init.normal_(module.weight, 1, 0.02)
        nn.init.zeros_(module.bias)
