@echo off
rem Starts TSO: sets it up once for whoever sits at this machine, then runs it. Nothing is changed outside the user's own
rem folders. Words behind it go to the program:  "TSO starten.cmd" --lan
rem In ASCII only, as a window may show anything else wrongly, and with every path in quotation marks.
setlocal EnableExtensions DisableDelayedExpansion
chcp 65001 >nul
title TSO
set "TSO_START_FILE=%~f0"
set "PROGRAM=%~dp0program"
set "PLACE=%LOCALAPPDATA%\TSO\@NAME@"
set "PYTHON=%PLACE%\env\Scripts\python.exe"
set "WANTED=@PYTHON@"
if not defined TSO_RELEASES set "TSO_RELEASES=@RELEASES@"
set "PYTHONUTF8=1"
set "UV_NO_CONFIG=1"
set "UV_CACHE_DIR=%PLACE%\cache"

if not exist "%PROGRAM%\uv.exe" goto not_unpacked
if not exist "%PLACE%\ready" goto set_up
"%PYTHON%" -c "import tso" >nul 2>&1
if "%ERRORLEVEL%"=="0" goto run
del "%PLACE%\ready"

:set_up
echo TSO wird eingerichtet, nur beim ersten Mal. Fehlt Python, wird es geholt: das kann einige Minuten dauern ...
echo Setting TSO up, only the first time. If Python is missing, it is fetched: that may take some minutes ...
echo TSO wordt ingericht, alleen de eerste keer. Ontbreekt Python, dan wordt het opgehaald: dat kan enkele minuten duren ...
if not exist "%PLACE%" mkdir "%PLACE%"
if exist "%PROGRAM%\python\python.exe" set "WANTED=%PROGRAM%\python\python.exe"

rem Only one window sets up: as long as it does it holds this file open, and another one cannot open it.
:lock
set "FAULT=busy"
call :make_environment 9>"%PLACE%\lock"
if "%FAULT%"=="" goto run
if "%FAULT%"=="no_python" goto no_python
if "%FAULT%"=="no_packages" goto no_packages
if not exist "%PLACE%\lock" goto no_packages
echo Das macht gerade ein anderes Fenster; bitte warten. Another window is doing it; please wait. Een ander venster doet dit; even wachten.
ping -n 6 127.0.0.1 >nul
goto lock

:run
"%PYTHON%" -P -m tso %*
set "STATUS=%ERRORLEVEL%"
if not "%STATUS%"=="0" pause
exit /b %STATUS%

:make_environment
set "FAULT="
if exist "%PLACE%\ready" exit /b
set "FAULT=no_python"
"%PROGRAM%\uv.exe" venv --quiet --clear --python "%WANTED%" "%PLACE%\env"
if not "%ERRORLEVEL%"=="0" exit /b
set "FAULT=no_packages"
"%PROGRAM%\uv.exe" pip install --quiet --offline --no-index --find-links "%PROGRAM%\wheels" --python "%PYTHON%" tso
if not "%ERRORLEVEL%"=="0" exit /b
rmdir /s /q "%PLACE%\cache"
type nul >"%PLACE%\ready"
set "FAULT="
exit /b

:not_unpacked
echo Hier fehlt der Ordner "program". Bitte erst die ganze Zip-Datei auspacken: Rechtsklick, "Alle extrahieren".
echo The folder "program" is missing here. Please unpack the whole zip file first: right click, "Extract all".
echo Hier ontbreekt de map "program". Pak eerst het hele zipbestand uit: rechtsklik, "Alles uitpakken".
pause
exit /b 1

:no_python
echo.
echo Python fehlt, und es zu holen ist misslungen. Einmal mit Internet starten, oder Python @NEWEST@ von python.org installieren.
echo Python is missing and could not be fetched. Start once with internet, or install Python @NEWEST@ from python.org.
echo Python ontbreekt en kon niet worden opgehaald. Start een keer met internet, of installeer Python @NEWEST@ van python.org.
pause
exit /b 1

:no_packages
echo.
echo TSO konnte nicht eingerichtet werden; der Grund steht weiter oben. Auf diesem Rechner muss Platz sein, 300 MB. Sonst den Ordner noch einmal ganz auspacken. Er passt nur zu: @SYSTEM@.
echo TSO could not be set up; the reason stands above. This machine needs 300 MB of free space. Otherwise unpack the whole folder once more. It is for: @SYSTEM@.
echo TSO kon niet worden ingericht; de reden staat hierboven. Op deze computer moet 300 MB vrij zijn. Pak anders de hele map nog een keer uit. Zij is voor: @SYSTEM@.
pause
exit /b 1
