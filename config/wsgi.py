"""The application for a hosted server's workers; on a laptop `manage.py start` serves it itself."""

import gc
import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from tournament.basics.latest import answer_news_from_memory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

gc.disable()  # as in manage.py
try:
    application = answer_news_from_memory(get_wsgi_application())
except ImproperlyConfigured as complaint:
    sys.exit(str(complaint))
gc.freeze()
gc.enable()
