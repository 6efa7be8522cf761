import { createHmac, randomBytes } from 'node:crypto'

/** An account with the hash its password is stored as. */
export interface PasswordHolder {
  id: number
  password_hash: string | null
}

/**
 * Remembers for a minute that a password was right, so that a program that sends one with every call is not made to wait
 * for it to be hashed each time. What is kept holds neither password nor hash, and fits no account whose stored hash is
 * another by now.
 */
export interface RecentPasswords {
  has(holder: PasswordHolder, password: string, now: Date): boolean
  add(holder: PasswordHolder, password: string, now: Date): void
}

const keptMs = 60_000
const mostKept = 10_000

export function createRecentPasswords(): RecentPasswords {
  const key = randomBytes(32)
  // The oldest first.
  const ends = new Map<string, number>()
  const nameOf = ({ id, password_hash }: PasswordHolder, password: string): string =>
    createHmac('sha256', key)
      .update(JSON.stringify([id, password_hash, password]))
      .digest('base64')

  return {
    has: (holder, password, now) => (ends.get(nameOf(holder, password)) ?? 0) > now.getTime(),
    add(holder, password, now) {
      const name = nameOf(holder, password)
      ends.delete(name)
      ends.set(name, now.getTime() + keptMs)
      for (const [oldest, end] of ends) {
        if (ends.size <= mostKept && end > now.getTime()) break
        ends.delete(oldest)
      }
    },
  }
}
