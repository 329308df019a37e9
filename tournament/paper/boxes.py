"""A rectangle on paper or in a picture, for laying things out. Plain figures in any unit."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle from its top left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def middle(self) -> float:
        return self.y + self.height / 2

    def down(self, by: float) -> "Box":
        return replace(self, y=self.y + by)

    def inset(self, across: float, down: float = 0) -> "Box":
        """The box without a margin of `across` left and right, `down` above and below."""
        return Box(self.x + across, self.y + down, self.width - 2 * across, self.height - 2 * down)

    def below(self, height: float, gap: float = 0) -> "Box":
        """A box of this height under this one."""
        return replace(self, y=self.bottom + gap, height=height)

    def columns(self, *parts: float, gap: float = 0) -> tuple["Box", ...]:
        """Boxes side by side, their widths in proportion to the parts."""
        unit = (self.width - gap * (len(parts) - 1)) / sum(parts)
        # Each edge from the beginning: added up one after the other, the last one would be off by the errors of all.
        edges = [self.x + sum(parts[:index]) * unit + index * gap for index in range(len(parts))]
        return tuple(Box(x, self.y, part * unit, self.height) for x, part in zip(edges, parts, strict=True))

    def stack(self, *parts: float) -> tuple["Box", ...]:
        """Boxes one below the other, their heights in proportion to the parts."""
        unit = self.height / sum(parts)
        edges = [self.y + sum(parts[:index]) * unit for index in range(len(parts))]
        return tuple(Box(self.x, y, self.width, part * unit) for y, part in zip(edges, parts, strict=True))
