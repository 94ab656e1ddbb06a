from . import evenstep as _compiled
from .evenstep import *
from ._recording import Chain as Chain, Report as Report
from ._smoothed import Smoothed as Smoothed

__doc__ = _compiled.__doc__
__all__ = [*_compiled.__all__, "Chain", "Report", "Smoothed"]
