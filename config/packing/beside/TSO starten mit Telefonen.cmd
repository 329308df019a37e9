@echo off
rem Starts TSO so that phones and other machines in the same network get in.
call "%~dp0TSO starten.cmd" --lan %*
