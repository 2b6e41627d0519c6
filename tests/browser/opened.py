"""Pages in a browser, and the events that a report must not cause."""

from dataclasses import dataclass, field, fields
from pathlib import Path

HEIGHT = 900
BLANK = "about:blank"


@dataclass
class Events:
    """Messages, errors, dialogs and requests of a page; a report has none."""

    console: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    dialogs: list = field(default_factory=list)
    requests: list = field(default_factory=list)

    def listeners(self, window, url):
        """Return what to listen to while a page is loaded and used."""

        def request(other):
            if other.url.partition("#")[0] not in (url, BLANK):
                self.requests.append(other.url)

        def dialog(opened):
            self.dialogs.append(opened.message)
            opened.dismiss()

        return [
            (window, "console", lambda message: self.console.append(message.text)),
            (window, "pageerror", lambda error: self.errors.append(str(error))),
            (window, "dialog", dialog),
            (window.context, "request", request),
            *((window, kind, request) for kind in ("websocket", "popup", "download")),
        ]

    def all(self):
        """Return all events, by kind."""
        events = {kind.name: list(getattr(self, kind.name)) for kind in fields(self)}
        return {kind: some for kind, some in events.items() if some}


class Opener:
    """Pages opened from files one after the other, and the events of all of them."""

    def __init__(self, chromium, folder):
        self.chromium, self.folder = chromium, folder
        self.events, self._listeners = [], []

    def __call__(
        self, page, *, scheme="light", width=1200, javascript=True, media="screen"
    ):
        """Load a page from its text or from a file; the page before is left.

        Parameters
        ----------
        page
            The text of a page, or a path.
        scheme
            light or dark.
        width
            Of the window, in CSS pixels.
        javascript
            Whether scripts run.
        media
            screen or print.
        """
        self._leave()
        path = page if isinstance(page, Path) else self._written(page)
        window = self.chromium.window(javascript=javascript)
        window.set_viewport_size({"width": width, "height": HEIGHT})
        window.emulate_media(media=media, color_scheme=scheme)
        self.events.append(Events())
        self._listeners = self.events[-1].listeners(window, path.as_uri())
        for source, kind, listener in self._listeners:
            source.on(kind, listener)
        window.goto(path.as_uri(), wait_until="load")
        return window

    def _written(self, text):
        path = self.folder / f"page{len(self.events)}.html"
        path.write_bytes(text.encode())
        return path

    def _leave(self):
        if not self._listeners:
            return
        window = self._listeners[0][0]
        # Requests are reported only once a page has had a turn, or is left.
        window.wait_for_timeout(50)
        window.goto(BLANK)
        for source, kind, listener in self._listeners:
            source.remove_listener(kind, listener)
        self._listeners = []

    def close(self):
        """Leave the last page, and return the events of those that had any."""
        self._leave()
        return [events.all() for events in self.events if events.all()]
