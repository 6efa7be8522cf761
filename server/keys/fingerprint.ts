/** The fingerprint that a text means, as keys have it: `SHA256:` and the padding of base64 may be there or not. */
export function fingerprintIn(text: string): string {
  // A "+" sent unescaped in a query arrives as a space; no fingerprint holds a space of its own.
  const digest = text.replaceAll(' ', '+').replace(/^SHA256:/i, '')
  return `SHA256:${digest.replace(/={1,2}$/, '')}`
}
