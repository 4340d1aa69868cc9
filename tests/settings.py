"""Settings of the tests: the real ones, over a data folder of their own."""

from __future__ import annotations

import os
import tempfile

os.environ["ROLEPLAY_DATA"] = tempfile.mkdtemp(prefix="tavern-tests-")
_names = ("DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "ALLOWED_HOSTS", "REGISTRATION", "DEBUG", "PORT")
for _name in (*_names, "LLM_BASE_URL", "LLM_API_KEY", "LLM_MODEL"):
    os.environ.pop(_name, None)

from roleplay.settings import *  # noqa: E402, F403
from roleplay.settings import ALLOWED_HOSTS, DATABASES, STORAGES  # noqa: E402

ALLOWED_HOSTS = [*ALLOWED_HOSTS, "testserver"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # many accounts, no secrets
EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
# Templates name files as they are: no collectstatic before a test.
STORAGES = {
    **STORAGES,
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
LOGGING_CONFIG = None  # pytest captures records as they are
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True
# A file, not memory: the engine of the jobs and the sockets use the database from threads of their own.
DATABASES["default"]["TEST"] = {"NAME": os.path.join(os.environ["ROLEPLAY_DATA"], "test.sqlite3")}  # noqa: PTH118
