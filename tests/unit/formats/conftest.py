"""Property tests of formats judge what comes out, not how busy the machine is; time has tests of its own."""

from hypothesis import HealthCheck, settings

settings.register_profile("formats", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("formats")
