"""Chromium as Debian packs it, driven by Playwright; nothing is downloaded."""

import shutil

from playwright.sync_api import sync_playwright

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
# Starting a browser on a busy machine takes its time; no page here is slow itself.
PATIENCE = 120_000


def executable():
    """Return the path of a browser, if there is one."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


class Chromium:
    """One browser, started when first used, with a window with and without scripts.

    A new window takes longer than a page takes to load, so that all tests share these
    two; a report stores nothing that could be left in them.
    """

    def __init__(self):
        self._driver = self._browser = None
        self._windows = {}

    def window(self, *, javascript):
        """Return the window in which scripts run, or that in which none do."""
        if self._browser is None:
            self._driver = sync_playwright().start()
            self._browser = self._driver.chromium.launch(
                executable_path=executable(), args=FLAGS, timeout=PATIENCE
            )
        if javascript not in self._windows:
            context = self._browser.new_context(
                java_script_enabled=javascript, reduced_motion="reduce"
            )
            context.set_default_timeout(PATIENCE)
            self._windows[javascript] = context.new_page()
        return self._windows[javascript]

    def close(self):
        """End the browser and its driver."""
        if self._browser is not None:
            self._browser.close()
            self._driver.stop()
            self._driver = self._browser = None
            self._windows.clear()
