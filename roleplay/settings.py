"""Django's settings, made from `roleplay.config`; secure wherever PUBLIC_URL is https (D44)."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from roleplay.config import ConfigError, read_config
from roleplay.data_folder import prepare_data_folder, uploads_in
from roleplay.secret_store import secrets_of

BASE_DIR = Path(__file__).resolve().parent.parent
try:
    CONFIG = read_config(os.environ, BASE_DIR)
    SQLITE_FILE = None if CONFIG.database_url else CONFIG.data / "portal.sqlite3"
    prepare_data_folder(CONFIG.data, SQLITE_FILE)
    _secrets = secrets_of(CONFIG.data, CONFIG.secret_key, CONFIG.field_keys)
except ConfigError as error:
    sys.exit(str(error))  # a sentence for whoever starts the server, not a stack trace

# --- what the rooms read -------------------------------------------------------------------------
ROLEPLAY_DATA = CONFIG.data
PUBLIC_URL = CONFIG.public_url
PORT = CONFIG.port
IMPORTS = CONFIG.imports
JOB_CONCURRENCY = CONFIG.job_concurrency
STORAGE_QUOTA_BYTES = CONFIG.quota_bytes
REGISTRATION = CONFIG.registration
REDIS_URL = CONFIG.redis_url
TRUSTED_PROXIES = CONFIG.trusted_proxies
TRUSTED_ORIGINS = CONFIG.trusted_origins
FIELD_KEYS = _secrets.field_keys
MODEL = CONFIG.model  # the first endpoint (portal.endpoints.environment)
VERSION = "0.1.0"
TRASH_DAYS = 30

# --- Django --------------------------------------------------------------------------------------
SECRET_KEY = _secrets.key
DEBUG = CONFIG.debug
ALLOWED_HOSTS = list(CONFIG.allowed_hosts)
CSRF_TRUSTED_ORIGINS = list(CONFIG.trusted_origins)
ROOT_URLCONF = "roleplay.urls"
ASGI_APPLICATION = "roleplay.asgi.application"
AUTH_USER_MODEL = "portal.Person"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
TEST_RUNNER = "django.test.runner.DiscoverRunner"

INSTALLED_APPS = [
    # `runserver` speaks websockets through it; `serve` uses uvicorn, and every command starts faster without.
    *(["daphne"] if DEBUG else []),
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.humanize",
    "django.forms",  # its widgets, drawn from our templates folder where we have our own
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_htmx",
    "template_partials",
    "portal",  # before allauth: our pages and words replace its templates
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.usersessions",
    "worlds",
    "lorebooks",
    "presets",
    "importer",
]

MIDDLEWARE = [
    "portal.middleware.RequestId",
    "portal.middleware.PlainHeaders",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "portal.static_files.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "portal.middleware.OwnLanguage",
    "portal.middleware.SignedIn",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "allauth.usersessions.middleware.UserSessionsMiddleware",
    "portal.middleware.DomainErrors",
]

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
                "portal.shell.shell",
            ],
            "builtins": ["portal.templatetags.shell"],
        },
    }
]
FORM_RENDERER = "portal.form_rendering.ShellRenderer"

# --- database, cache, sockets --------------------------------------------------------------------
DATABASES: dict[str, Any] = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": SQLITE_FILE,
        "OPTIONS": {
            "transaction_mode": "IMMEDIATE",  # a writer waits for its turn instead of failing half way
            "timeout": 20,
            "init_command": "PRAGMA journal_mode=WAL;",
        },
    }
}
if CONFIG.database_url:
    DATABASES["default"] = dj_database_url.parse(CONFIG.database_url, conn_max_age=0, conn_health_checks=True)

if CONFIG.redis_url:
    # Shared, so that limits on tries hold across processes.
    CACHES: dict[str, Any] = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": CONFIG.redis_url}
    }
    CHANNEL_LAYERS: dict[str, Any] = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [CONFIG.redis_url], "prefix": "roleplay"},
        }
    }
else:
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

# --- people --------------------------------------------------------------------------------------
AUTHENTICATION_BACKENDS = [
    "allauth.account.auth_backends.AuthenticationBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "account_login"
ACCOUNT_LOGOUT_REDIRECT_URL = LOGOUT_REDIRECT_URL
ACCOUNT_ADAPTER = "portal.adapter.AccountAdapter"
ACCOUNT_FORMS = {"login": "portal.forms.SignInForm", "signup": "portal.forms.SignUpForm"}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_NOTIFICATIONS = bool(CONFIG.mail.host)
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USERNAME_BLACKLIST = ["admin", "root", "system"]
ACCOUNT_USERNAME_MIN_LENGTH = 2
ACCOUNT_RATE_LIMITS = {"login_failed": "5/5m/key,20/5m/ip", "login": "60/m/ip", "signup": "10/h/ip"}
ACCOUNT_CHANGE_EMAIL = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # addresses are a second name here, never verified
MFA_TOTP_ISSUER = "Tavern Worlds"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
USERSESSIONS_TRACK_ACTIVITY = True
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30

MAIL_CONFIGURED = bool(CONFIG.mail.host)
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if MAIL_CONFIGURED else 'dummy'}.EmailBackend"
EMAIL_HOST, EMAIL_PORT = CONFIG.mail.host, CONFIG.mail.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = CONFIG.mail.user, CONFIG.mail.password
EMAIL_USE_TLS, EMAIL_TIMEOUT = CONFIG.mail.use_tls, 20
DEFAULT_FROM_EMAIL = SERVER_EMAIL = CONFIG.mail.sender or "worlds@localhost"

# --- safety --------------------------------------------------------------------------------------
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = CONFIG.secure
SESSION_COOKIE_HTTPONLY = LANGUAGE_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = LANGUAGE_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "portal.views.errors.csrf_failure"
SECURE_SSL_REDIRECT = CONFIG.secure
SECURE_REDIRECT_EXEMPT = [r"^healthz$"]  # a machine on the same host asks it in plain http
SECURE_HSTS_SECONDS = 31_536_000 if CONFIG.secure else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
# HSTS for sub-domains and preload lists bind other programs of the same domain: the owner's choice, not ours.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:", "blob:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "frame-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}

# --- uploads and static files ----------------------------------------------------------------------
# On the data volume, which has room for them. A large upload waits here while it arrives; then it is copied
# chunk by chunk into staging, measured and hashed on the way, and Django removes what waited here.
FILE_UPLOAD_TEMP_DIR = uploads_in(CONFIG.data)
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
DATA_UPLOAD_MAX_NUMBER_FILES = 10
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1000
STATIC_URL = "/static/"
STATIC_ROOT = CONFIG.data / ".static"  # gathered by `serve`; each data folder has its own
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

# --- languages (D2) ------------------------------------------------------------------------------
LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("zh-hans", _("Simplified Chinese"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_AGE = 60 * 60 * 24 * 365
USE_TZ = True
TIME_ZONE = CONFIG.time_zone

# --- logs ----------------------------------------------------------------------------------------
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"request_id": {"()": "portal.logs.WithRequestId"}},
    "formatters": {
        "line": {
            "()": "portal.logs.OneLine",
            "format": "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s",
        }
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["request_id"]}
    },
    "root": {"handlers": ["console"], "level": CONFIG.log_level},
    "loggers": {"django": {"handlers": ["console"], "level": "INFO", "propagate": False}},
}
