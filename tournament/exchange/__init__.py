"""Files in and out. Every format is read into one plain value (`values.EventData`) and written from it."""
