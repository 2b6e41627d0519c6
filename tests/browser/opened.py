"""A page in a browser, and all that happens which ought not to."""

from dataclasses import dataclass, field, fields
from pathlib import Path

HEIGHT = 900


@dataclass
class Happened:
    """What a page says, asks and loads; a report does none of it."""

    console: list = field(default_factory=list)
    errors: list = field(default_factory=list)
    dialogs: list = field(default_factory=list)
    requests: list = field(default_factory=list)

    def watch(self, page, url):
        """Listen to a page from before it is loaded."""
        page.on("console", lambda said: self.console.append(said.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("dialog", self._dialog)
        page.context.on("request", lambda asked: self._request(asked.url, url))
        page.on("websocket", lambda opened: self._request(opened.url, url))
        page.on("popup", lambda opened: self._request(opened.url, url))
        page.on("download", lambda begun: self._request(begun.url, url))

    def _dialog(self, dialog):
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _request(self, asked, url):
        if asked.partition("#")[0] != url:
            self.requests.append(asked)

    def all(self):
        """Give everything that happened, by kind."""
        told = {kind.name: list(getattr(self, kind.name)) for kind in fields(self)}
        return {kind: found for kind, found in told.items() if found}


class Opener:
    """Opens pages from files, and looks at the end what happened in them."""

    def __init__(self, chromium, folder):
        self.chromium, self.folder = chromium, folder
        self.contexts, self.happened = [], []

    def __call__(
        self, page, *, scheme="light", width=1200, javascript=True, media="screen"
    ):
        """Load a page, given as its text or as the path of a file.

        Parameters
        ----------
        page
            The text of a page, or a path.
        scheme
            light or dark, as the person wishes.
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
        watched = Happened()
        self.happened.append(watched)
        watched.watch(opened, path.as_uri())
        opened.goto(path.as_uri(), wait_until="load")
        return opened

    def _written(self, text):
        path = self.folder / f"page{len(self.contexts)}.html"
        path.write_bytes(text.encode())
        return path

    def close(self):
        """Close all pages, and give what happened in any of them."""
        # What a page began is told only once it has had a turn.
        for context in self.contexts:
            for page in context.pages:
                page.wait_for_timeout(20)
            context.close()
        self.contexts.clear()
        return [happened.all() for happened in self.happened if happened.all()]
