"""Tensors as (type, shape, flat row-major list), moved about index by index."""

import itertools
import math
from typing import NamedTuple

from numbers_of import pack


class Tensor(NamedTuple):
    type: str
    shape: tuple
    values: list

    def json(self):
        return {"type": self.type, "shape": list(self.shape), "hex": pack(self.type, self.values).hex()}

    def at(self, index):
        flat = 0
        for i, dim in zip(index, self.shape):
            flat = flat * dim + i
        return self.values[flat]


def indices(shape):
    return itertools.product(*(range(dim) for dim in shape))


def build(type, shape, value):
    """value(index) for every index."""
    return Tensor(type, tuple(shape), [value(index) for index in indices(shape)])


def broadcast_shape(*shapes):
    rank = max(len(shape) for shape in shapes)
    padded = [(1,) * (rank - len(shape)) + tuple(shape) for shape in shapes]
    return tuple(max(dims) for dims in zip(*padded))


def seen_at(tensor, index):
    """The element that broadcasting puts at `index`."""
    own = index[len(index) - len(tensor.shape) :]
    return tensor.at([0 if dim == 1 else i for i, dim in zip(own, tensor.shape)])


def broadcast(tensor, shape, axes=None):
    if axes is None:
        return build(tensor.type, shape, lambda index: seen_at(tensor, index))

    def value(index):
        return tensor.at([0 if dim == 1 else index[axis] for axis, dim in zip(axes, tensor.shape)])

    return build(tensor.type, shape, value)


def transpose(tensor, axes):
    def value(index):
        source = [0] * len(axes)
        for to, axis in enumerate(axes):
            source[axis] = index[to]
        return tensor.at(source)

    return build(tensor.type, [tensor.shape[axis] for axis in axes], value)


def reverse(tensor, axes):
    def value(index):
        places = enumerate(zip(index, tensor.shape))
        return tensor.at([dim - 1 - i if axis in axes else i for axis, (i, dim) in places])

    return build(tensor.type, tensor.shape, value)


def clamp(starts, lengths, shape):
    return [min(max(start, 0), dim - length) for start, length, dim in zip(starts, lengths, shape)]


def slice_of(tensor, starts, lengths, strides):
    starts = clamp(starts, lengths, tensor.shape)
    shape = [-(-length // stride) for length, stride in zip(lengths, strides)]
    return build(
        tensor.type, shape, lambda index: tensor.at([s + i * step for s, i, step in zip(starts, index, strides)])
    )


def put_slice(tensor, starts, part):
    starts = clamp(starts, part.shape, tensor.shape)

    def value(index):
        inner = [i - start for i, start in zip(index, starts)]
        inside = all(0 <= i < dim for i, dim in zip(inner, part.shape))
        return part.at(inner) if inside else tensor.at(index)

    return build(tensor.type, tensor.shape, value)


def pad(tensor, value, config):
    """config: (low, high, interior) an axis; negative low and high cut off."""
    shape = [lo + hi + dim + (dim - 1) * inner for dim, (lo, hi, inner) in zip(tensor.shape, config)]

    def element(index):
        source = []
        for i, dim, (lo, _, inner) in zip(index, tensor.shape, config):
            at, rest = divmod(i - lo, inner + 1)
            if rest or not 0 <= at < dim:
                return value
            source.append(at)
        return tensor.at(source)

    return build(tensor.type, shape, element)


def concatenate(tensors, axis):
    shape = list(tensors[0].shape)
    shape[axis] = sum(tensor.shape[axis] for tensor in tensors)

    def value(index):
        index = list(index)
        for tensor in tensors:
            if index[axis] < tensor.shape[axis]:
                return tensor.at(index)
            index[axis] -= tensor.shape[axis]

    return build(tensors[0].type, shape, value)


def stack(tensors, axis):
    shape = list(tensors[0].shape)
    shape.insert(axis, len(tensors))
    return build(tensors[0].type, shape, lambda index: tensors[index[axis]].at(index[:axis] + index[axis + 1 :]))


def tile(tensor, repetitions):
    shape = [dim * times for dim, times in zip(tensor.shape, repetitions)]
    return build(tensor.type, shape, lambda index: tensor.at([i % dim for i, dim in zip(index, tensor.shape)]))


def reduce(tensor, axes, keep, combine, type):
    """combine(list of elements) over `axes`."""
    kept = [dim for axis, dim in enumerate(tensor.shape) if axis not in axes]
    groups = {index: [] for index in indices(kept)}
    for index in indices(tensor.shape):
        groups[tuple(i for axis, i in enumerate(index) if axis not in axes)].append(tensor.at(index))
    shape = [1 if axis in axes else dim for axis, dim in enumerate(tensor.shape)] if keep else kept
    return Tensor(type, tuple(shape), [combine(group) for group in groups.values()])


def dot(a, b, contract, batch, combine, type):
    """Batch axes, then the free axes of a, then those of b; combine(list of pairs)."""
    free_a = [axis for axis in range(len(a.shape)) if axis not in contract[0] + batch[0]]
    free_b = [axis for axis in range(len(b.shape)) if axis not in contract[1] + batch[1]]
    shape = [a.shape[x] for x in batch[0]] + [a.shape[x] for x in free_a] + [b.shape[x] for x in free_b]

    def value(index):
        common = index[: len(batch[0])]
        left = dict(zip(batch[0] + free_a, index[: len(batch[0]) + len(free_a)]))
        right = dict(zip(batch[1] + free_b, common + index[len(batch[0]) + len(free_a) :]))
        pairs = []
        for inner in indices([a.shape[axis] for axis in contract[0]]):
            left.update(zip(contract[0], inner))
            right.update(zip(contract[1], inner))
            pairs.append((a.at([left[x] for x in range(len(a.shape))]), b.at([right[x] for x in range(len(b.shape))])))
        return combine(pairs)

    return build(type, shape, value)


def size(shape):
    return math.prod(shape)
