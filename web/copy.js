// Puts a field's text on the clipboard. Over plain HTTP the modern interface is missing; the old one still works.

export async function copyField(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.select();
    return document.execCommand("copy");
  }
}
