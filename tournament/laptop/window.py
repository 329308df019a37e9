"""The small window of a program that was started by a double click: it says that the program runs, shows where, with a
code for phones, opens the browser, and stops the program. It is made with Tk, which is part of Python; where that or a
screen is missing, the lines in the terminal say the same."""

import ctypes
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils import translation
from django.utils.translation import gettext as _

from tournament.basics.qr import QUIET_MODULES, make_qr_modules
from tournament.laptop.serving import has_display

if TYPE_CHECKING:
    import tkinter as tk
    from tkinter import ttk

CODE_SIZE = 220  # pixels of the code's edge, at most
WRAP = 380  # pixels, where a line of text is wrapped
LOOK_MILLISECONDS = 200  # between two looks whether the program still runs; Python hears signals only then
NETWORK_LOOKS = 25  # so many of them between two looks at the network
SW_MINIMIZE = 6  # of Windows' `ShowWindow`


@dataclass(frozen=True)
class WindowText:
    """What the window says: the address on this machine, how to let others in if nobody else may open it, the new
    account with its password, and what else there is to say."""

    address: str
    lan_command: str = ""
    account: str = ""
    notes: tuple[str, ...] = ()


def open_tk() -> "tk.Tk | None":
    """An empty window; None if this Python has no Tk, or there is no screen that lets us in."""
    if not has_display():
        return None
    try:
        import tkinter as tk  # noqa: PLC0415  # not in every Python
    except ImportError:
        return None
    try:
        root = tk.Tk()
    except tk.TclError:
        return None
    _OPENED.append(root)
    return root


_OPENED: "list[tk.Tk]" = []
"""The windows of this process, kept to its end: Tcl aborts the process when another thread collects one as garbage."""


class StartWindow:
    """The window around a program that answers in another thread: `serve` returns once `stop` has been called."""

    def __init__(
        self,
        root: "tk.Tk",
        text: WindowText,
        *,
        serve: Callable[[], None],
        stop: Callable[[], None],
        find_addresses: Callable[[], list[str]],
        find_named: Callable[[], str] = str,
        ask_for_newest: Callable[[], str] | None = None,
    ) -> None:
        self.root, self.text = root, text
        self._stop, self._ask_for_newest = stop, ask_for_newest
        self._find_addresses, self._find_named = find_addresses, find_named
        self._newest = ""
        self._fault: BaseException | None = None
        self._speaking = translation.override(translation.get_language())  # another thread begins with the default
        self._thread = threading.Thread(target=self._serve, args=(self._speaking(serve),), name="server")
        self._looks = 0
        self._shown: tuple[list[str], str] | None = None
        self._is_stopping = False
        self._draw()

    def run(self) -> None:
        """Serve until somebody stops the program, here or in the terminal; raises what ended it otherwise."""
        self._thread.start()
        self._look()
        if sys.platform == "win32":
            ctypes.windll.user32.ShowWindow(ctypes.windll.kernel32.GetConsoleWindow(), SW_MINIMIZE)
        try:
            self.root.mainloop()
        except (KeyboardInterrupt, SystemExit):
            self.show_stopping()
        finally:
            self.stop()
            self._thread.join()
        if self._fault is not None:
            raise self._fault

    def stop(self) -> None:
        """Have the program finish what it is answering, make its last backup, and end; once."""
        if not self._is_stopping and self._thread.is_alive():
            self._is_stopping = True
            self._stop()

    def _serve(self, serve: Callable[[], None]) -> None:
        try:
            serve()
        except BaseException as fault:  # noqa: BLE001  # raised again by `run`
            self._fault = fault

    def _look(self) -> None:
        """Close when the program has ended; now and then see which networks there are."""
        if not self._thread.is_alive():
            self.root.destroy()
            return
        # Tk is not to be called from another thread: that one leaves its answer, and it is shown from here.
        if self._newest:
            self._about_newest.configure(text=self._newest)
        # Not every look: asking for the networks takes a moment, in which the window answers nobody.
        if not self.text.lan_command and self._looks % NETWORK_LOOKS == 0 and not self._is_stopping:
            self._show_network(self._find_addresses(), self._find_named())
        self._looks += 1
        self.root.after(LOOK_MILLISECONDS, self._look)

    def _draw(self) -> None:
        from tkinter import ttk  # noqa: PLC0415  # as in `open_tk`

        self.root.title("TSO")
        self.root.resizable(width=False, height=False)
        self.root.protocol("WM_DELETE_WINDOW", self.ask_to_stop)
        self._frame = ttk.Frame(self.root, padding=20)
        self._frame.grid()
        self._heading = self._say(_("The program is running."), size=16, bold=True)
        self._say(_("On this machine: %(address)s") % {"address": self.text.address})
        for text in filter(None, (self.text.account, *self.text.notes)):
            self._say(text)
        self._network = ttk.Frame(self._frame)
        self._network.grid(sticky="w")
        if self.text.lan_command:
            text = _("Only this machine can open it. To let phones and other machines in, start it by: %(command)s")
            self._say(text % {"command": self.text.lan_command})
        self._about_newest = self._say("")
        row = ttk.Frame(self._frame)
        row.grid(sticky="ew", pady=(12, 0))
        opening = ttk.Button(row, text=_("Open the browser"), command=self.open_browser)
        opening.pack(side="left")
        opening.focus_set()
        if self._ask_for_newest is not None:
            ttk.Button(row, text=_("Is there a newer version?"), command=self.ask_for_newest).pack(side="left", padx=8)
        self._stopping = ttk.Button(row, text=_("Stop the program"), command=self.ask_to_stop)
        self._stopping.pack(side="right")

    def open_browser(self) -> None:
        webbrowser.open(self.text.address)

    def ask_for_newest(self) -> None:
        """Ask in a thread of its own, as no answer may take a while; `_look` shows what came."""
        if (ask := self._ask_for_newest) is None:
            return
        self._newest = ""
        self._about_newest.configure(text="…")

        def note_answer() -> None:
            self._newest = ask()

        threading.Thread(target=self._speaking(note_answer), daemon=True).start()

    def ask_to_stop(self) -> None:
        """Stop once whoever pressed the button, or closed the window, says that it is meant."""
        from tkinter import messagebox  # noqa: PLC0415  # as in `open_tk`

        question = _("Stop the program? Phones and screens lose it until it is started again. Nothing is lost.")
        if not self._is_stopping and messagebox.askokcancel("TSO", question, parent=self.root):
            self.show_stopping()
            self.stop()

    def show_stopping(self) -> None:
        """Say that the end has begun: the last backup takes a moment."""
        self._heading.configure(text=_("The program is being stopped …"))
        self._stopping.state(["disabled"])

    def _say(self, text: str, *, size: int = 0, bold: bool = False, parent: "tk.Misc | None" = None) -> "ttk.Label":
        from tkinter import font, ttk  # noqa: PLC0415  # as in `open_tk`

        label_font = font.nametofont("TkDefaultFont").copy()
        label_font.configure(weight="bold" if bold else "normal")
        if size:
            label_font.configure(size=size)
        label = ttk.Label(parent or self._frame, text=text, wraplength=WRAP, justify="left", font=label_font)
        label.grid(sticky="w", pady=(0, 6))
        return label

    def _show_network(self, addresses: list[str], named: str) -> None:
        """The addresses for others, with the code of the first and the one by a name; what to do without a network."""
        # Drawn anew only where something is new: the code would flicker every few seconds while somebody holds a phone
        # to it.
        if (addresses, named) == self._shown:
            return
        self._shown = (addresses, named)
        for child in self._network.winfo_children():
            child.destroy()
        if not addresses:
            message = _(
                "This machine is not on a network. Join the hall’s, or open a hotspot; the address appears here."
            )
            self._say(message, parent=self._network)
            return
        self._say(_("For phones and other machines in the same network:"), bold=True, parent=self._network)
        self._say("\n".join(addresses), size=14, parent=self._network)
        if len(addresses) > 1:
            message = _("This machine is on several networks. The code holds the first address.")
            self._say(message, parent=self._network)
        self._draw_code(addresses[0])
        if named:
            message = _("Also, on devices that know such names: %(address)s")
            self._say(message % {"address": named}, parent=self._network)
        message = _(
            "The first time, the machine's firewall asks whether to let others reach Python. "
            "Tick private networks and allow it."
        )
        self._say(message, parent=self._network)

    def _draw_code(self, address: str) -> None:
        import tkinter as tk  # noqa: PLC0415  # as in `open_tk`

        rows = make_qr_modules(address)
        edge = CODE_SIZE // (len(rows) + 2 * QUIET_MODULES)
        code_edge = edge * (len(rows) + 2 * QUIET_MODULES)
        canvas = tk.Canvas(self._network, width=code_edge, height=code_edge, background="white", highlightthickness=0)
        canvas.grid(sticky="w")
        for y, row in enumerate(rows, QUIET_MODULES):
            for x, is_dark in enumerate(row, QUIET_MODULES):
                if is_dark:
                    corner = (x * edge, y * edge, (x + 1) * edge, (y + 1) * edge)
                    canvas.create_rectangle(*corner, fill="black", width=0)
