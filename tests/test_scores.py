"""Every score of src/eval against NumPy and SciPy, from the definitions, on the same pictures and features."""
import subprocess

import numpy
import pytest
import torch
from conftest import TOP
from scipy.linalg import sqrtm
from scipy.spatial.distance import cdist, pdist
from scipy.special import logsumexp


@pytest.fixture(scope="module")
def given():
    """Pixels in [0,1]; features with correlated dimensions of unlike size, far from the origin as a network's are."""
    torch.manual_seed(5)
    mixing = torch.randn(24, 24) * torch.logspace(-1, 0.5, 24)
    return {
        "points": torch.rand(61, 192),
        "centres": torch.rand(83, 192),
        "sigmas": torch.logspace(-2, 0, 9, dtype=torch.float64),
        "real": torch.randn(150, 24) @ mixing + 5,
        "generated": 1.1 * torch.randn(130, 24) @ mixing + 7,
    }


@pytest.fixture(scope="module")
def ours(given, tmp_path_factory):
    folder = tmp_path_factory.mktemp("scores")
    torch.save(given, folder / "in.pt")
    driver = TOP / "build" / "release" / "tests" / "score_driver"
    subprocess.run([driver, folder / "in.pt", folder / "out.pt"], check=True, timeout=300)
    return {key: value.numpy() for key, value in torch.load(folder / "out.pt", weights_only=False).items()}


@pytest.fixture(scope="module")
def features(given):
    return given["real"].numpy().astype(numpy.float64), given["generated"].numpy().astype(numpy.float64)


@pytest.mark.parametrize("key", ["parzen", "parzen_small"])
def test_parzen(given, ours, key):
    x, mu = (given[name].numpy().astype(numpy.float64) for name in ("points", "centres"))
    squares = ((x[:, None] - mu[None]) ** 2).sum(2)
    theirs = [
        logsumexp(-squares / (2 * sigma**2), axis=1)
        - numpy.log(len(mu))
        - x.shape[1] * numpy.log(sigma * numpy.sqrt(2 * numpy.pi))
        for sigma in given["sigmas"].numpy()
    ]
    numpy.testing.assert_allclose(ours[key], theirs, rtol=1e-6)


def test_frechet(ours, features):
    real, generated = features
    of_real, of_generated = numpy.cov(real, rowvar=False), numpy.cov(generated, rowvar=False)
    shift = ((real.mean(0) - generated.mean(0)) ** 2).sum()
    theirs = shift + numpy.trace(of_real + of_generated - 2 * sqrtm(of_real @ of_generated).real)
    assert ours["frechet"][0] == pytest.approx(theirs, rel=1e-5)


def discrepancy(x, y):
    """Unbiased: a row is not paired with itself."""

    def kernel(a, b):
        return (a @ b.T / a.shape[1] + 1) ** 3

    def within(a):
        return kernel(a, a)[~numpy.eye(len(a), dtype=bool)].mean()

    return within(x) + within(y) - 2 * kernel(x, y).mean()


def test_kernel_distance(ours, features):
    real, generated = features
    assert ours["kernel_all"][0] == pytest.approx(discrepancy(real, generated), rel=1e-9)
    pairs = zip(ours["subsets_real"], ours["subsets_generated"])
    theirs = [discrepancy(real[of_real], generated[of_generated]) for of_real, of_generated in pairs]
    assert len(set(theirs)) == 8
    numpy.testing.assert_allclose(ours["kernel"], [numpy.mean(theirs), numpy.std(theirs)], rtol=1e-9)


def test_manifold(ours, features):
    real, generated = features

    def radii(points, k):
        return numpy.sort(cdist(points, points), axis=1)[:, k]  # the first is the point itself

    between = cdist(generated, real)
    precision = (between <= radii(real, 3)).any(1).mean()
    recall = (between <= radii(generated, 3)[:, None]).any(0).mean()
    in_ball = between <= radii(real, 5)
    theirs = [precision, recall, in_ball.sum() / (5 * len(generated)), in_ball.any(0).mean()]
    assert all(0.05 < value < 0.98 for value in theirs), theirs  # scores at their ends would agree by chance
    numpy.testing.assert_allclose(ours["manifold"], theirs, rtol=1e-12)


def test_nearest(ours, features):
    real, generated = features
    between = cdist(generated, real)
    assert (ours["nearest_indices"] == between.argmin(1)).all()
    numpy.testing.assert_allclose(ours["nearest_distances"], between.min(1), rtol=1e-9)
    within = cdist(real, real) + numpy.diag([numpy.inf] * len(real))
    assert (ours["others_indices"] == within.argmin(1)).all()
    numpy.testing.assert_allclose(ours["others_distances"], within.min(1), rtol=1e-9)


def test_diversity(ours, features):
    real, generated = features
    theirs = [pdist(generated).mean(), pdist(real).mean()]
    numpy.testing.assert_allclose(ours["diversity"], [*theirs, theirs[0] / theirs[1]], rtol=1e-9)


def test_closest_pair(ours, features):
    within = cdist(features[1], features[1])
    within[numpy.tril_indices(len(within))] = numpy.inf
    first, second = numpy.unravel_index(within.argmin(), within.shape)
    numpy.testing.assert_allclose(ours["closest"], [first, second, within.min()], rtol=1e-9)
