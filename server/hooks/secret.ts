const base64 =
  /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==))$/

/**
 * Returns the base64 part of a Standard Webhooks secret; undefined for any other secret, which is used as raw
 * bytes.
 */
export const base64In = (secret: string): string | undefined => base64.exec(secret)?.[1]

/**
 * Returns the problem with a secret that has the Standard Webhooks prefix but that the libraries for Standard
 * Webhooks do not accept; undefined if the secret is valid.
 */
export function secretProblem(secret: string): string | undefined {
  if (!secret.startsWith('whsec_') || base64In(secret) !== undefined) return undefined
  return 'a secret that starts with whsec_ must continue with padded base64; omit whsec_ to use any other text'
}
