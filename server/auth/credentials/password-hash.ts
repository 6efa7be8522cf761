import { hash, verify } from '@node-rs/argon2'

// The package's enum is const, which isolated modules cannot read.
const argon2id = 2
const options = { algorithm: argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(password, options)
}

let decoy: Promise<string> | undefined

/**
 * Compares a password with a stored hash; takes the same time without a hash, so that nobody learns whether an
 * account exists.
 */
export async function passwordMatches(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('no account has this password')
  const matches = await verify(stored ?? (await decoy), password)
  return matches && stored != null
}
