"""Constructors of a class that live in modules of their own."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


class Constructor:
    """Class method whose function is loaded from another module when first used.

    Tables are made from many kinds of data; each has a function in a module of its own.
    """

    def __init__(self, module: str) -> None:
        self.module = module
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(
        self, instance: object, owner: type | None = None
    ) -> Callable[..., Any]:
        return getattr(import_module(self.module), self.name)
