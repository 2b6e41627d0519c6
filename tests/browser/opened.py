"""Pages in a browser, and the events that a report must not cause."""

from dataclasses import dataclass, field, fields
from pathlib import Path

HEIGHT = 900


@dataclass
class Events:
    """Messages, errors, dialogs and requests of a page; a report has none."""

    console: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    dialogs: list = field(default_factory=list)
    requests: list = field(default_factory=list)

    def watch(self, page, url):
        """Listen to a page from before it is loaded."""
        page.on("console", lambda message: self.console.append(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", self._dialog)
        page.context.on("request", lambda request: self._request(request.url, url))
        page.on("websocket", lambda opened: self._request(opened.url, url))
        page.on("popup", lambda opened: self._request(opened.url, url))
        page.on("download", lambda begun: self._request(begun.url, url))

    def _dialog(self, dialog):
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _request(self, address, url):
        if address.partition("#")[0] != url:
            self.requests.append(address)

    def all(self):
        """Return all events, by kind."""
        events = {kind.name: list(getattr(self, kind.name)) for kind in fields(self)}
        return {kind: some for kind, some in events.items() if some}


class Opener:
    """Pages opened from files, and the events of all of them."""

    def __init__(self, chromium, folder):
        self.chromium, self.folder = chromium, folder
        self.contexts, self.events = [], []

    def __call__(
        self, page, *, scheme="light", width=1200, javascript=True, media="screen"
    ):
        """Load a page from its text or from a file.

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
        path = page if isinstance(page, Path) else self._written(page)
        context = self.chromium.context(
            viewport={"width": width, "height": HEIGHT},
            color_scheme=scheme,
            java_script_enabled=javascript,
            reduced_motion="reduce",
        )
        self.contexts.append(context)
        opened = context.new_page()
        if media != "screen":
            opened.emulate_media(media=media)
        self.events.append(Events())
        self.events[-1].watch(opened, path.as_uri())
        opened.goto(path.as_uri(), wait_until="load")
        return opened

    def _written(self, text):
        path = self.folder / f"page{len(self.contexts)}.html"
        path.write_bytes(text.encode())
        return path

    def close(self):
        """Close all pages, and return the events of those that had any."""
        # Requests are reported only once a page has had a turn.
        for context in self.contexts:
            for page in context.pages:
                page.wait_for_timeout(20)
            context.close()
        self.contexts.clear()
        return [events.all() for events in self.events if events.all()]
