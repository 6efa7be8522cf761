/** Returns the stored form of a fingerprint, which may be written with or without `SHA256:` and base64 padding. */
export function fingerprintIn(text: string): string {
  // A `+` that is sent unescaped in a query arrives as a space, which no fingerprint contains.
  const digest = text.replaceAll(' ', '+').replace(/^SHA256:/i, '')
  return `SHA256:${digest.replace(/={1,2}$/, '')}`
}
