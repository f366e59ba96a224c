// An <img> that is filled through the queue. The old picture stays until the new one is decoded, so nothing
// flickers.
import { ServerError } from "./request.js";
/** @import { PictureQueue } from "./picture_queue.js" */

export class Picture {
  /**
   * @param {PictureQueue} queue
   * @param {HTMLImageElement} image
   */
  constructor(queue, image) {
    this.queue = queue;
    this.image = image;
    /** @type {string | null} what is shown or being loaded */
    this.url = null;
    /** @type {string | null} */
    this.blobUrl = null;
    /** @type {AbortController | null} */
    this.loading = null;
  }

  /**
   * Resolves to null once the picture is shown or no longer wanted, to an error if there is no such picture.
   * @param {string} url
   * @param {() => number} urgency
   */
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
      if (!(error instanceof ServerError)) throw error;
      this.url = null;
      this.release();
      this.image.parentElement?.classList.add("missing");
      return error;
    } finally {
      if (this.loading === loading) this.loading = null;
    }
  }

  /** @param {Blob} blob */
  show(blob) {
    const old = this.blobUrl;
    this.blobUrl = URL.createObjectURL(blob);
    this.image.src = this.blobUrl;
    this.image.parentElement?.classList.remove("missing");
    // The old picture's bytes can be freed once the new one is decoded.
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

  // Removes the picture and frees its memory.
  release() {
    this.cancel();
    if (this.blobUrl) URL.revokeObjectURL(this.blobUrl);
    this.blobUrl = null;
    this.image.removeAttribute("src");
    this.image.classList.remove("shown");
  }
}
