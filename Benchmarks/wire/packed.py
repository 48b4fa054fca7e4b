"""Peers that pack numbers: MessagePack and CBOR, with zstd, and a delta in bits after Quake 3. Each message is unpacked again and
held against the frames that it is to make; times are of encoding and of decoding, in microseconds a tick."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import cbor2
import msgpack
import zstandard
from workloads import Frame, Scene, Tick


@dataclass
class Outcome:
    """What a peer took for a workload."""

    sizes: list[int] = field(default_factory=list)
    encode_seconds: float = 0
    decode_seconds: float = 0

    def microseconds(self) -> tuple[float, float]:
        count = len(self.sizes)
        return self.encode_seconds / count * 1e6, self.decode_seconds / count * 1e6


def flat_messages(scene: Scene, ticks: list[Tick]) -> Iterator[list[int]]:
    """[tick, number, mask, values…, …] of each tick: flat, without names."""
    frames = list(scene.frames)
    for index, tick in enumerate(ticks):
        flat: list[int] = [100_000 + index]
        for number, frame in tick.items():
            changed = [side for side in range(4) if frame[side] != frames[number][side]]
            flat += [number, sum(1 << side for side in changed), *(frame[side] for side in changed)]
            frames[number] = frame
        yield flat


def packed(pack: Callable[[Any], bytes], unpack: Callable[[bytes], Any]) -> Callable[[Scene, list[Tick]], Outcome]:
    """A peer that packs the flat messages. Making the list is its program's work and is not timed."""

    def measure(scene: Scene, ticks: list[Tick]) -> Outcome:
        outcome = Outcome()
        for message in flat_messages(scene, ticks):
            begin = time.perf_counter()
            data = pack(message)
            middle = time.perf_counter()
            back = unpack(data)
            outcome.decode_seconds += time.perf_counter() - middle
            outcome.encode_seconds += middle - begin
            if back != message:
                raise RuntimeError("a message came back as another")
            outcome.sizes.append(len(data))
        return outcome

    return measure


#: Bytes of a dictionary; those of zstd's handbook for small messages.
DICTIONARY = 16 * 1024


def compressed(pack: Callable[[Any], bytes], unpack: Callable[[bytes], Any]) -> Callable[[Scene, list[Tick]], Outcome]:
    """The same, compressed with zstd (level 19) and a dictionary that was trained on the messages themselves, which favours it."""

    def measure(scene: Scene, ticks: list[Tick]) -> Outcome:
        samples = [pack(message) for message in flat_messages(scene, ticks)]
        # Training refuses a dictionary that is large for its samples.
        size = min(DICTIONARY, max(256, sum(map(len, samples)) // 8))
        trained = zstandard.train_dictionary(size, samples, level=19)
        compressor = zstandard.ZstdCompressor(
            level=19, dict_data=trained, write_content_size=False, write_checksum=False, write_dict_id=False
        )
        decompressor = zstandard.ZstdDecompressor(dict_data=trained)
        limit = max(map(len, samples))
        return packed(
            lambda message: compressor.compress(pack(message)),
            lambda data: unpack(decompressor.decompress(data, max_output_size=limit)),
        )(scene, ticks)

    return measure


class Bits:
    """A number of bits written one after the other, the first in the lowest place."""

    def __init__(self, value: int = 0) -> None:
        self.value, self.count = value, 0

    def write(self, number: int, bits: int) -> None:
        self.value |= (number & ((1 << bits) - 1)) << self.count
        self.count += bits

    def read(self, bits: int) -> int:
        number = self.value >> self.count & ((1 << bits) - 1)
        self.count += bits
        return number


END = 1023
NUMBER_BITS, FIELD_BITS = 10, 16


def write_quake(tick: Tick, frames: list[Frame]) -> bytes:
    """Changed entities, each with its number in 10 bits, whether it is gone, whether it changed, how many fields follow, and for
    each a bit whether it changed, a bit whether it is not zero, and its value in 16 bits; the end is number 1,023."""
    bits = Bits()
    for number, frame in tick.items():
        changed = [side for side in range(4) if frame[side] != frames[number][side]]
        bits.write(number, NUMBER_BITS)
        bits.write(0, 1)
        bits.write(1, 1)
        bits.write(changed[-1] + 1, 8)
        for side in range(changed[-1] + 1):
            if side not in changed:
                bits.write(0, 1)
                continue
            bits.write(1, 1)
            bits.write(int(frame[side] != 0), 1)
            if frame[side]:
                bits.write(frame[side], FIELD_BITS)
    bits.write(END, NUMBER_BITS)
    return bits.value.to_bytes((bits.count + 7) // 8, "little")


def read_quake(data: bytes, frames: list[Frame]) -> Tick:
    bits, tick = Bits(int.from_bytes(data, "little")), {}
    while (number := bits.read(NUMBER_BITS)) != END:
        if bits.read(1) or not bits.read(1):
            raise RuntimeError("an entity that goes, or that did not change")
        frame = list(frames[number])
        for side in range(bits.read(8)):
            if not bits.read(1):
                continue
            value = bits.read(FIELD_BITS) if bits.read(1) else 0
            frame[side] = value - (1 << FIELD_BITS) if value >> (FIELD_BITS - 1) else value
        tick[number] = (frame[0], frame[1], frame[2], frame[3])
    return tick


def quake(scene: Scene, ticks: list[Tick]) -> Outcome:
    """Deltas as `MSG_WriteDeltaEntity` of Quake 3 writes them, less its Huffman codes, whose frequencies are those of its game.
    In Python, so that its times say nothing."""
    outcome, frames = Outcome(), list(scene.frames)
    for tick in ticks:
        data = write_quake(tick, frames)
        if read_quake(data, frames) != tick:
            raise RuntimeError("a message came back as another")
        for number, frame in tick.items():
            frames[number] = frame
        outcome.sizes.append(len(data))
    return outcome


#: By name, and whether their times are those of a library in C.
PACKED = {
    "MessagePack": (packed(msgpack.packb, msgpack.unpackb), True),
    "MessagePack, zstd": (compressed(msgpack.packb, msgpack.unpackb), True),
    "CBOR": (packed(cbor2.dumps, cbor2.loads), True),
    "CBOR, zstd": (compressed(cbor2.dumps, cbor2.loads), True),
    "Quake-like bits": (quake, False),
}
