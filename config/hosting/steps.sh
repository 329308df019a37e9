#!/bin/sh
# The steps of a hosted service, from a bare folder to a rolling restart. The container file, compose.yaml and the tests
# take these and no others; docs/hosting.md says when. Settings come from the environment (docs/formats.md).
#
#   steps.sh install                        Python's packages, into TSO_VENV
#   steps.sh prepare                        settings checked, the database's schema brought up to this program
#   steps.sh serve ADDRESS                  one process, until it is told to stop (SIGTERM)
#   steps.sh ready ADDRESS [SECONDS]        waits until that process can be sent requests
#   steps.sh proxy FOLDER PORT ADDRESS …    nginx in front of these processes, until it is told to stop (SIGTERM)
#   steps.sh leave FOLDER ADDRESS           nginx sends this process nothing more
#   steps.sh join FOLDER ADDRESS            nginx sends this process requests again
#   steps.sh backup [FOLDER]                everything in one file, into FOLDER or the data folder
#   steps.sh manage COMMAND …               a command of the program (docs/formats.md)
#
# An ADDRESS is HOST:PORT. TSO_VENV is the program's folder with .venv, TSO_THREADS 16 unless they say otherwise.
# TSO_CERTIFICATE and TSO_CERTIFICATE_KEY name the proxy's certificate.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
venv=${TSO_VENV:-$PWD/.venv}
python=$venv/bin/python

install() {
    python3 -m venv "$venv"
    "$python" -m pip install --quiet --disable-pip-version-check -r requirements-hosted.txt
}

prepare() {
    "$python" manage.py check --deploy --fail-level ERROR
    "$python" manage.py migrate --no-input --verbosity 1
    "$python" manage.py clearsessions
}

# One worker in each process: then its figures in /metrics are whole. Threads wait for the database side by side.
serve() {
    exec "$venv/bin/gunicorn" config.wsgi --bind "$1" --workers 1 --worker-class gthread \
        --threads "${TSO_THREADS:-16}" --timeout 120 --graceful-timeout 60 --backlog 512 \
        --no-control-socket --log-level warning
}

ready() {
    "$python" "$here/ready.py" "$1" "${2:-60}"
}

proxy() {
    folder=$1 port=$2
    shift 2
    mkdir -p "$folder"
    for address in "$@"; do echo "server $address max_fails=1 fail_timeout=1s;"; done > "$folder/processes.conf"
    if [ -n "${TSO_CERTIFICATE:-}" ]; then
        {
            echo "listen $port ssl;"
            echo "ssl_certificate $TSO_CERTIFICATE;"
            echo "ssl_certificate_key $TSO_CERTIFICATE_KEY;"
            echo "ssl_session_cache shared:tls:4m;"
        } > "$folder/listen.conf"
    else
        echo "listen $port;" > "$folder/listen.conf"
    fi
    cp "$here/nginx.conf" "$folder/nginx.conf"
    exec nginx -p "$folder" -c nginx.conf -g "daemon off;"
}

# What is under way goes on. After the pause nothing new is: nginx has left its old workers, which knew the process.
leave() {
    sed -i "s/^server $2 .*/server $2 down;/" "$1/processes.conf"
    nginx -p "$1" -c nginx.conf -s reload
    sleep 1
}

join() {
    sed -i "s/^server $2 .*/server $2 max_fails=1 fail_timeout=1s;/" "$1/processes.conf"
    nginx -p "$1" -c nginx.conf -s reload
}

backup() {
    if [ $# -gt 0 ]; then
        "$python" manage.py backup --output "$1/tso-$(date +%Y-%m-%d-%H%M%S).zip"
    else
        "$python" manage.py backup
    fi
}

manage() {
    exec "$python" manage.py "$@"
}

case ${1:-} in
    install | prepare | serve | ready | proxy | leave | join | backup | manage) "$@" ;;
    *)
        sed -n 's/^#   //p' "$0"
        exit 2
        ;;
esac
