"""Checkpoints with a generator that nobody trained, but whose pictures differ: for the tests that only look at pictures."""
import torch
from networks import discriminator, generator, initialise


def make_generator(nz=16, ngf=8, size=64, seed=1):
    """Weights large enough for contrast, and running statistics that are not those of a new network."""
    torch.manual_seed(seed)
    network = generator(nz, ngf, size)
    network.apply(initialise)
    for module in network.main:
        if isinstance(module, torch.nn.BatchNorm2d):
            module.weight.data.uniform_(0.5, 1.5)
            module.bias.data.normal_(0, 0.3)
        elif isinstance(module, torch.nn.ConvTranspose2d):
            module.weight.data.mul_(4)
    with torch.no_grad():
        for _ in range(30):
            network.main(torch.randn(min(32, 2048 // size), nz, 1, 1))
    return network.eval()


def save_checkpoint(path, nz=16, ngf=8, size=64, epoch=3, seed=1, full=False):
    network = make_generator(nz, ngf, size, seed)
    content = {"epoch": epoch, "G_state_dict": network.state_dict()}
    if full:
        judge = discriminator(4, size)
        judge.apply(initialise)
        optimizers = [torch.optim.AdamW(part.parameters()).state_dict() for part in (network, judge)]
        content |= {"D_state_dict": judge.state_dict(), "G_optim": optimizers[0], "D_optim": optimizers[1],
                    "losses": {"_G": [1.0], "_D": [2.0]}, "img_list": [], "noise": torch.randn(64, nz, 1, 1)}
    torch.save(content, path)
    return network


def publish_checkpoint(run, epoch, **sizes):
    """Epoch by epoch another generator, written as training does it: under another name first."""
    save_checkpoint(run / "being-written", epoch=epoch, seed=epoch, **sizes)
    (run / "being-written").rename(run / f"slim_checkpoint_{epoch}.pt")
