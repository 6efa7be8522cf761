import { createHmac, randomBytes } from 'node:crypto'

/** An account with the stored hash of its password. */
export interface PasswordHolder {
  id: number
  password_hash: string | null
}

/**
 * Returns whether a remembered password is still correct, that is, whether the account's stored hash has not
 * changed since.
 */
export type Fits = (holder: PasswordHolder) => boolean

/**
 * Remembers for a minute that a password was correct, so that a program that sends it with every call does not wait for
 * hashing each time. Entries contain neither the password nor its hash, and are void once the stored hash changes.
 */
export interface RecentPasswords {
  find(login: string, password: string, now: Date): Fits | undefined
  add(login: string, password: string, holder: PasswordHolder, now: Date): void
}

const keptMs = 60_000
const maxKept = 10_000

export function createRecentPasswords(): RecentPasswords {
  const key = randomBytes(32)
  const digest = (...parts: unknown[]): string =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64')
  const holderOf = ({ id, password_hash }: PasswordHolder): string => digest(id, password_hash)
  // Oldest entries first.
  const kept = new Map<string, { holder: string; end: number }>()

  return {
    find(login, password, now) {
      const found = kept.get(digest(login, password))
      if (!found || found.end <= now.getTime()) return undefined
      return holder => found.holder === holderOf(holder)
    },
    add(login, password, holder, now) {
      const name = digest(login, password)
      kept.delete(name)
      kept.set(name, { holder: holderOf(holder), end: now.getTime() + keptMs })
      for (const [oldest, { end }] of kept) {
        if (kept.size <= maxKept && end > now.getTime()) break
        kept.delete(oldest)
      }
    },
  }
}
