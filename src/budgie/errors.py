# SPDX-License-Identifier: Apache-2.0
"""Every error Budgie raises on purpose: one tree, one sentence each."""

import sys
import warnings

_PACKAGE = __file__.removesuffix("errors.py")


class Error(ValueError):
    """Something outside the program is wrong; the message says what, where, and what to do."""


class ModelError(Error):
    """A model file cannot be used."""


class MissingModel(ModelError):
    """A model that has a name is not installed: it is part of another distribution."""


class MissingModelWarning(UserWarning):
    """The same, where work goes on without the model."""


class DataError(Error):
    """Training or evaluation data cannot be used."""


class ConfigError(Error):
    """A recipe or an option does not make sense."""


class MissingExtra(ImportError):
    """An optional part of Budgie needs packages that are not installed."""


def warn(message: str, kind: type[Warning] = UserWarning) -> None:
    """Warn whoever has called Budgie: the line that is shown is theirs, however deep in Budgie this is called."""
    frame, level = sys._getframe(), 1
    while frame.f_back and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, stacklevel=level)


def message_of(error: Exception) -> str:
    """What to tell people of an error, one of the system included."""
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return str(error)
