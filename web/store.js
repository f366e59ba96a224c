// The page's state in one place: plain values, and who wants to know when one changes.

export function createStore(values) {
  const watchers = [];
  return {
    get: (name) => values[name],

    set(changes) {
      const changed = Object.keys(changes).filter((name) => !Object.is(values[name], changes[name]));
      Object.assign(values, changes);
      for (const { names, tell } of watchers) {
        if (names.some((name) => changed.includes(name))) tell();
      }
    },

    watch(names, tell) {
      watchers.push({ names, tell });
    },
  };
}
