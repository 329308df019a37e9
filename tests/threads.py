"""Several people at once."""

import threading
from collections.abc import Callable

from django.db import connections


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Run the acts in threads that start together; what each returned or raised, in their order.

    Only for tests with `django_db(transaction=True)`: each thread has a connection of its own.
    """
    gate = threading.Barrier(len(acts))
    found: list[object] = [None] * len(acts)

    def run(index: int, act: Callable[[], object]) -> None:
        gate.wait(timeout=60)
        try:
            found[index] = act()
        except Exception as raised:  # noqa: BLE001  # what was raised is what the test looks at
            found[index] = raised
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=pair) for pair in enumerate(acts)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    return found
