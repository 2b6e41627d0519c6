"""Constructors of a class that live in modules of their own."""

from collections.abc import Callable
from importlib import import_module
from typing import Any


class Constructor:
    """Class method whose function is loaded from another module when first used.

    Tables are made in many ways; each way is a function of the module that knows it.
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
