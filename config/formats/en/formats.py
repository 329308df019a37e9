"""British dates, day before month, and the clock of 24 hours. What is not named here stays as in Django's English.
Django looks here by `FORMAT_MODULE_PATH`; its own English is American."""

DATE_FORMAT = "j F Y"
TIME_FORMAT = "H:i"
DATETIME_FORMAT = "j F Y, H:i"
YEAR_MONTH_FORMAT = "F Y"
MONTH_DAY_FORMAT = "j F"
SHORT_DATE_FORMAT = "d/m/Y"
SHORT_DATETIME_FORMAT = "d/m/Y H:i"
FIRST_DAY_OF_WEEK = 1
DATE_INPUT_FORMATS = ["%d/%m/%Y", "%Y-%m-%d"]  # the first is how a field shows a date
