// Copies a field's text to the clipboard. The modern interface is missing over plain HTTP; the old one still
// works.

/** @param {HTMLInputElement} field */
export async function copyField(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
}
