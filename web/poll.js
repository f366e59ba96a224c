// Asks again and again, but not while nobody looks.

function visible() {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true })).then(visible);
}

// `work` answers after how many seconds it wants to be called again, or null: never. The answer's wake() calls it now.
export function pollWhileVisible(work) {
  let wake = () => {};
  const pause = (seconds) => new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    wake = () => { clearTimeout(timer); resolve(); };
  });

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
