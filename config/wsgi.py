"""The application for a hosted server's workers; on a laptop `manage.py start` serves it itself."""

import gc
import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from tournament.basics.latest import answer_news_from_memory

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

gc.disable()  # as in manage.py
try:
    application = answer_news_from_memory(get_wsgi_application())
except ImproperlyConfigured as complaint:
    sys.exit(str(complaint))
if settings.HOSTED:  # on a laptop `start` does
    from tournament.by_itself.ticking import start_ticking  # only now: what it imports has models

    start_ticking()
gc.freeze()
gc.enable()
