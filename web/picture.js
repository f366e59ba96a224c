// An <img> that is filled through the queue. The old picture stays until the new one is decoded, so nothing flickers.

export class Picture {
  constructor(queue, image) {
    this.queue = queue;
    this.image = image;
    this.url = null;
    this.blobUrl = null;
    this.loading = null;
  }

  // Resolves to null once the picture is shown or no longer wanted, to a ServerError where there is none.
  async load(url, urgency) {
    if (url === this.url) return null;
    this.cancel();
    this.url = url;
    const loading = new AbortController();
    this.loading = loading;
    try {
      this.show(await this.queue.load(url, { signal: loading.signal, urgency }));
      return null;
    } catch (error) {
      if (loading.signal.aborted) return null;
      this.url = null;
      this.release();
      this.image.parentElement?.classList.add("missing");
      return error;
    } finally {
      if (this.loading === loading) this.loading = null;
    }
  }

  show(blob) {
    const old = this.blobUrl;
    this.blobUrl = URL.createObjectURL(blob);
    this.image.src = this.blobUrl;
    this.image.parentElement?.classList.remove("missing");
    // Shown from now on; the old one's bytes can go once the new one's are in.
    this.image.decode().catch(() => {}).then(() => {
      this.image.classList.add("shown");
      if (old) URL.revokeObjectURL(old);
    });
  }

  cancel() {
    this.loading?.abort();
    this.loading = null;
    this.url = null;
  }

  // Without a picture, and without its memory.
  release() {
    this.cancel();
    if (this.blobUrl) URL.revokeObjectURL(this.blobUrl);
    this.blobUrl = null;
    this.image.removeAttribute("src");
    this.image.classList.remove("shown");
  }
}
