#!/bin/sh
# Starts TSO: sets it up once for whoever sits at this machine, then runs it. Nothing is changed outside the user's own
# folders. Words behind it go to the program:  sh "TSO starten.sh" --lan
unset CDPATH
here=$(cd -- "$(dirname -- "$0")" && pwd) || exit 1
TSO_START_FILE="$here/$(basename -- "$0")"
TSO_RELEASES="${TSO_RELEASES-@RELEASES@}"
export TSO_START_FILE TSO_RELEASES PYTHONUTF8=1 UV_NO_CONFIG=1
uv="$here/program/uv"
wanted="@PYTHON@"

say() { printf '%s\n' "$@"; }

fail() {
    say "" "$@" >&2
    if [ -t 0 ]; then
        printf '⏎ ' >&2
        read -r _
    fi
    exit 1
}

# The environment belongs to this machine, and not onto a stick that is carried to the next one.
choose_place() {
    case $(uname -s) in
        Darwin) place="$HOME/Library/Caches/TSO/@NAME@" ;;
        *) place="${XDG_CACHE_HOME:-$HOME/.cache}/tso/@NAME@" ;;
    esac
    if mkdir -p "$place" 2>/dev/null && [ -w "$place" ]; then return; fi
    place="$here/program/@NAME@"
    mkdir -p "$place" 2>/dev/null || fail \
        "Weder in $HOME noch in $here lässt sich schreiben. Den Ordner auf die Festplatte kopieren und dort starten." \
        "Neither $HOME nor $here can be written to. Copy the folder to the disk and start it there." \
        "In $HOME en in $here kan niet worden geschreven. Kopieer de map naar de schijf en start haar daar."
}

# Sticks are often mounted so that nothing on them can be run: then it is run from a copy.
make_runnable() {
    xattr -cr "$here/program" 2>/dev/null
    if ! "$uv" --version >/dev/null 2>&1; then
        cp "$uv" "$place/uv" && chmod 755 "$place/uv" && uv="$place/uv"
    fi
    if [ ! -d "$here/program/python" ]; then return; fi
    wanted="$here/program/python/bin/python3"
    if ! "$wanted" -c "" >/dev/null 2>&1; then
        rm -rf "$place/python"
        cp -R "$here/program/python" "$place/python" && chmod -R u+x "$place/python/bin"
        wanted="$place/python/bin/python3"
    fi
}

# Only one start sets up; another one waits for it. Who was cut short has left the file, but is not there any more.
take_turn() {
    for _ in 1 2 3; do
        if (set -C && echo $$ >"$place/lock") 2>/dev/null; then return; fi
        sleep 1
        waited=0
        while [ $waited -lt 300 ] && kill -0 "$(cat "$place/lock" 2>/dev/null)" 2>/dev/null; do
            sleep 1
            waited=$((waited + 1))
        done
        rm -f "$place/lock"
    done
}

set_up() {
    say "TSO wird eingerichtet, nur beim ersten Mal. Fehlt Python, wird es geholt: das kann einige Minuten dauern …" \
        "Setting TSO up, only the first time. If Python is missing, it is fetched: that may take some minutes …" \
        "TSO wordt ingericht, alleen de eerste keer. Ontbreekt Python, dan wordt het opgehaald: dat kan enkele minuten duren …"
    rm -f "$place/ready"
    take_turn
    if [ -f "$place/ready" ]; then
        rm -f "$place/lock"
        return
    fi
    export UV_CACHE_DIR="$place/cache" # beside the environment, so that files are moved and not copied
    make_runnable
    "$uv" venv --quiet --clear --python "$wanted" "$place/env" || fail \
        "Python fehlt und ließ sich nicht holen. Einmal mit Internet starten, oder Python @NEWEST@ von python.org installieren." \
        "Python is missing and could not be fetched. Start once with internet, or install Python @NEWEST@ from python.org." \
        "Python ontbreekt en kon niet worden opgehaald. Start één keer met internet, of installeer Python @NEWEST@ van python.org."
    "$uv" pip install --quiet --offline --no-index --find-links "$here/program/wheels" \
        --python "$place/env/bin/python" tso || fail \
        "Das Programm ließ sich nicht einrichten; der Grund steht darüber. Auf diesem Rechner müssen 300 MB frei sein. Sonst den Ordner noch einmal vollständig auspacken. Er passt nur zu: @SYSTEM@." \
        "The program could not be set up; the reason stands above. This machine needs 300 MB of free space. Otherwise unpack the whole folder once more. It is for: @SYSTEM@." \
        "Het programma kon niet worden ingericht; de reden staat hierboven. Op deze computer moet 300 MB vrij zijn. Pak anders de hele map nog een keer uit. Zij is voor: @SYSTEM@."
    rm -rf "$place/cache"
    : >"$place/ready"
    rm -f "$place/lock"
}

if [ ! -f "$uv" ]; then
    fail "Hier fehlt der Ordner „program“. Bitte die ganze Zip-Datei auspacken und dann starten." \
        "The folder “program” is missing here. Please unpack the whole zip file, then start." \
        "Hier ontbreekt de map “program”. Pak het hele zipbestand uit en start daarna."
fi
choose_place
if [ ! -f "$place/ready" ] || ! "$place/env/bin/python" -c "import tso" >/dev/null 2>&1; then set_up; fi
exec "$place/env/bin/python" -P -m tso "$@"
