const base64 =
  /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=|[A-Za-z0-9+/][AQgw]==))$/

/** The base64 in a secret as Standard Webhooks write them; undefined for any other text, which is taken as it is. */
export const base64In = (secret: string): string | undefined => base64.exec(secret)?.[1]

/** Says what is wrong with a secret that begins as those of Standard Webhooks do, and that no library for them takes. */
export function secretProblem(secret: string): string | undefined {
  if (!secret.startsWith('whsec_') || base64In(secret) !== undefined) return undefined
  return 'a secret that begins with whsec_ goes on in base64 with its padding, and nothing else; leave whsec_ out to use any other text'
}
