/** Keeps a choice of this browser's in a cookie, so that the server's first byte already has it. */
export function remember(name: string, value: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing on plain http
  document.cookie = `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax`
}
