"""`ready.py HOST:PORT SECONDS`: waits until the process there can be sent requests; exit code 1 if it never can."""

import http.client
import sys
import time


def ask_readiness(address: str) -> str:
    """What `/health/ready` says, or why nothing does."""
    connection = http.client.HTTPConnection(address, timeout=5)
    try:
        connection.request("GET", "/health/ready")
        answer = connection.getresponse()
        text = answer.read().decode()
    except (OSError, http.client.HTTPException) as fault:
        return str(fault)
    finally:
        connection.close()
    return "" if answer.status == http.HTTPStatus.OK else text


def main(address: str, seconds: str) -> int:
    """Ask every tenth of a second."""
    until = time.monotonic() + float(seconds)
    while lacking := ask_readiness(address):
        if time.monotonic() > until:
            sys.stderr.write(f"{address} is not ready after {seconds} seconds: {lacking}\n")
            return 1
        time.sleep(0.1)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
