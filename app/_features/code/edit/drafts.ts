/** Unsaved text of a page that edits a file, as this browser keeps it. */
export interface Draft {
  text: string
  /** Path of the file, which may have been changed as well. */
  path: string
  /** ID of the blob that was edited; null for a new file. */
  base: string | null
  /** When it was kept, in milliseconds. */
  at: number
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const prefix = 'guildhall-draft '
const maxCharacters = 1_000_000
const maxTotal = 2_000_000
const maxAgeMs = 30 * 24 * 60 * 60_000

/** Returns the draft with this key; undefined if there is none, or it is too old. */
export function readDraft(store: Store, key: string, now: number): Draft | undefined {
  const draft = parse(store.getItem(prefix + key))
  return draft && now - draft.at <= maxAgeMs ? draft : undefined
}

/**
 * Keeps a draft, and removes the oldest ones if there are too many. If `isAgain`, it is kept only if there is room
 * for it: tabs would otherwise remove each other's drafts without end. Returns whether it could be kept.
 */
export function keepDraft(store: Store, key: string, draft: Draft, isAgain = false): boolean {
  const text = JSON.stringify(draft)
  if (text.length > maxCharacters) {
    store.removeItem(prefix + key)
    return false
  }
  let left = maxTotal - text.length
  for (const other of othersThan(store, prefix + key)) {
    left -= other.length
    if (left < 0 && isAgain) return false
    if (left < 0 || draft.at - other.at > maxAgeMs) store.removeItem(other.key)
  }
  try {
    store.setItem(prefix + key, text)
    return true
  } catch {
    return false
  }
}

/** Removes a draft that has one of these texts. With another text, another tab has kept it for the same file. */
export function dropDraft(store: Store, key: string, texts: readonly (string | undefined)[]): void {
  const draft = parse(store.getItem(prefix + key))
  if (draft && texts.includes(draft.text)) store.removeItem(prefix + key)
}

/** The other drafts, newest first. */
function othersThan(store: Store, key: string): { key: string; length: number; at: number }[] {
  const keys = Array.from({ length: store.length }, (_, index) => store.key(index) ?? '')
  return keys
    .filter(each => each.startsWith(prefix) && each !== key)
    .map(each => {
      const text = store.getItem(each) ?? ''
      return { key: each, length: text.length, at: parse(text)?.at ?? 0 }
    })
    .sort((one, other) => other.at - one.at)
}

function parse(text: string | null): Draft | undefined {
  try {
    const { at, base, path, text: typed } = JSON.parse(text ?? '')
    const isDraft = typeof at === 'number' && typeof path === 'string' && typeof typed === 'string'
    return isDraft ? { at, path, text: typed, base: typeof base === 'string' ? base : null } : undefined
  } catch {
    return undefined
  }
}
