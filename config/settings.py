"""Settings. What differs between installations comes from the environment (docs/formats.md); all else is here."""

from pathlib import Path

from config import checks, environment, logs, mail, services
from tournament.basics import limits
from tournament.basics.addresses import find_own_hosts
from tournament.basics.program import find_data_folder, is_installed

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = environment.read_folder_setting(
    "TSO_DATA", default=find_data_folder(), base=Path.cwd() if is_installed() else BASE_DIR
)

# Who may ask
DEBUG = environment.read_switch_setting("TSO_DEBUG")
SECRET_KEY = environment.get_or_create_secret_key(DATA_DIR / "secret-key.txt")
NAMED_HOSTS = environment.read_hosts_setting("TSO_HOSTS", default=[])
SERVICE_ADDRESS = environment.read_address_setting("TSO_ADDRESS")
ALLOWED_HOSTS = [*(NAMED_HOSTS or find_own_hosts()), *environment.list_hosts(SERVICE_ADDRESS)]
BEHIND_HTTPS = environment.read_switch_setting("TSO_HTTPS")
if BEHIND_HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 30 * 24 * 3600
SILENCED_SYSTEM_CHECKS = checks.SILENCED_CHECKS
# On plain http in a hall a Secure cookie would never come back, and browsers complain about an opener policy.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = BEHIND_HTTPS
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if BEHIND_HTTPS else None
# Some addresses open something to whoever has them, so other sites are told none; RefusalsTold asks for ours.
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SECURE_CSP = {  # named as in Django 6; sent by config.middleware
    "default-src": ["'self'"],
    "img-src": ["'self'", "data:"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
}

# The parts
INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_tables2",
    "django_htmx",
    "tournament",
    "games",
]
HOSTED = bool(environment.read_setting("DATABASE_URL"))
SECOND_FACTOR = HOSTED
OTP_APPS = ["django_otp", "django_otp.plugins.otp_totp", "django_otp.plugins.otp_static"]
OTP_TOTP_THROTTLE_FACTOR = OTP_STATIC_THROTTLE_FACTOR = 0  # tournament.access.second_factor counts in its place
OTP_TOTP_ISSUER = " ".join(["TSO", *NAMED_HOSTS[:1]])
if SECOND_FACTOR:
    INSTALLED_APPS += OTP_APPS
MIDDLEWARE = [
    "config.request_ids.request_ids",
    "config.health.health",
    "config.metrics.metrics",
    "config.middleware.content_security_policy",
    "django.middleware.security.SecurityMiddleware",
    # Before whitenoise, which knows only the plain names of files.
    "config.static_files.content_named_files",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "config.middleware.PackedPages",
    # Before sessions, the first to open the database: while a backup is restored, its file is moved away.
    "config.middleware.doors",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "config.middleware.chosen_language",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "config.middleware.SignedIn",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    # After the middleware that knows the user. No body has been read yet: CsrfViewMiddleware reads it in process_view,
    # which runs after all that stand here.
    "config.middleware.upload_limit",
    "config.middleware.RefusalsTold",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

# Where things are kept
DATABASES = {"default": services.build_database_settings(DATA_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
CACHES = {
    "default": services.build_cache_settings(),
    "attempts": services.build_cache_settings("attempts", counts=True),
}
LOGGING = logs.build_logging_settings(DATA_DIR, form=environment.read_choice_setting("TSO_LOGS", "files", "json"))
METRICS_TOKEN = services.read_metrics_token()
# Where the laptop's window asks for a newer version, when somebody wants to know; empty: nowhere
RELEASES_ADDRESS = environment.read_url_setting("TSO_RELEASES", ("https", "http"))

# E-mail; without a server every page that speaks of it is absent
MAIL = mail.read_mail_server(environment.list_hosts(SERVICE_ADDRESS) or NAMED_HOSTS)
if MAIL:
    EMAIL_HOST, EMAIL_PORT = MAIL.host, MAIL.port
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = MAIL.user, MAIL.password
    EMAIL_USE_TLS, EMAIL_USE_SSL = MAIL.scheme == "smtp+tls", MAIL.scheme == "smtps"
    DEFAULT_FROM_EMAIL = SERVER_EMAIL = MAIL.sender
EMAIL_TIMEOUT = 10
PASSWORD_RESET_TIMEOUT = 3600

# Push: the browser makers' services, the only hosts that a browser may name; a dot before: every host below
PUSH_SERVICES = (
    "fcm.googleapis.com",
    ".push.services.mozilla.com",
    ".push.apple.com",
    ".notify.windows.com",
)

# What comes in
UPLOAD_LIMIT = 20 * 1024**2  # bytes of one request; config.middleware answers a larger one with a page
# By address, for whoever has an account.
LARGE_UPLOADS = {"director:import_file": limits.ARCHIVE_BYTES, "director:portraits": limits.PORTRAITS_BYTES}
FILE_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024  # a larger file goes to disk while it comes in, so that photos fill no memory
ANONYMOUS_UPLOAD_LIMIT = 64 * 1024  # of those who have not signed in; the laptop's server refuses more unread
DATA_UPLOAD_MAX_MEMORY_SIZE = 5 * 1024**2
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000  # a form with a row for each of a thousand players or so

# Language and time
LANGUAGE_CODE = "de"
LANGUAGES = [("de", "Deutsch"), ("en", "English"), ("nl", "Nederlands")]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_SAMESITE = "Lax"
LOCALE_PATHS = [BASE_DIR / "locale"]
FORMAT_MODULE_PATH = "config.formats"  # British dates and times
TIME_ZONE = "Europe/Berlin"
USE_TZ = True

# Files for the browser, served by the program itself
STATIC_URL = "static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "tournament.basics.static_files.ContentNamedStorage"},
}
WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 300

MESSAGE_STORAGE = "tournament.pages.told_messages.ToldMessages"

# Signing in
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "director:home"
LOGOUT_REDIRECT_URL = "public:home"
AUTHENTICATION_BACKENDS = ["tournament.access.signing_in.LimitedBackend"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in ("UserAttributeSimilarityValidator", "MinimumLengthValidator", "CommonPasswordValidator")
]
