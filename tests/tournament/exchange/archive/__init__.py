"""Tests of events made anew and of archives."""
