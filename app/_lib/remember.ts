/** Stores a setting of this browser in a cookie, so that the server can render it from the first byte. */
export function remember(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax`
}
