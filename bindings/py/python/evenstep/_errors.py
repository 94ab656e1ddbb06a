"""Errors of the part in Python."""

from evenstep import Error


def refused(code: str, name: str, why: str) -> Error:
    """An exception with its code for programs, the name of a call or an argument, and the reason."""
    error = Error(f"{name}: {why}")
    error.code = code  # type: ignore[assignment]
    return error
