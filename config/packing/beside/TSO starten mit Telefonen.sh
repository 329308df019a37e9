#!/bin/sh
# Starts TSO so that phones and other machines in the same network get in.
exec sh "$(dirname -- "$0")/TSO starten.@ENDING@" --lan "$@"
