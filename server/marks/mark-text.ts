/** What a mark is kept as, for people who find it too. */
export const textOf = (mark: string): string =>
  `${mark}\nThis says which Guildhall site all of this belongs to. Keep it here.\n`

/** The mark in a text; undefined in an empty one. What was cut short or changed is nobody's mark. */
export const markIn = (text: Uint8Array | string): string | undefined =>
  text.length === 0
    ? undefined
    : (/^[0-9a-f]{32}$/.exec(Buffer.from(text).toString().split('\n')[0] ?? '')?.[0] ?? 'unreadable')
