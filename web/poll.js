// Repeats a request, but not while the page is hidden.

/** @returns {Promise<void>} */
async function visible() {
  while (document.hidden) {
    await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
  }
}

/**
 * @param {() => Promise<number | null>} work returns the seconds until its next call, or null to end
 * @returns {{ wake: () => void }} wake() ends the pause between two calls
 */
export function pollWhileVisible(work) {
  let wake = () => {};
  /** @param {number} seconds */
  const pause = (seconds) => /** @type {Promise<void>} */ (new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    wake = () => { clearTimeout(timer); resolve(); };
  }));

  async function poll() {
    for (;;) {
      await visible();
      const seconds = await work();
      if (seconds === null) return;
      await pause(seconds);
    }
  }

  poll();
  return { wake: () => wake() };
}
