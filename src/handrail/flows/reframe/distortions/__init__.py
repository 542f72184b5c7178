"""Which thinking traps the words of one thought show, in English and Spanish."""

from handrail.flows.reframe.distortions.kinds import Distortion
from handrail.flows.reframe.distortions.reader import Cue, DistortionReader, Found

__all__ = ["Cue", "Distortion", "DistortionReader", "Found"]
