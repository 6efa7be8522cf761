/** Returns the content of a mark's file or object, with an explanation for people who find it. */
export const textOf = (mark: string): string =>
  `${mark}\nThis says which Guildhall site all of this belongs to. Keep it here.\n`

/**
 * Returns the mark in a text; undefined if the text is empty. A truncated or modified mark never matches any
 * site's.
 */
export const markIn = (text: Uint8Array | string): string | undefined =>
  text.length === 0
    ? undefined
    : (/^[0-9a-f]{32}$/.exec(Buffer.from(text).toString().split('\n')[0] ?? '')?.[0] ?? 'unreadable')
