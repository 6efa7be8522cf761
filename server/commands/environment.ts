import { type Places, parsePlaces } from '@/server/kernel/config'

/** Where a command finds the database and the files of this instance. */
export interface CommandEnvironment extends Places {
  /** The secret key is given from outside, rather than kept in the data directory. */
  keyInEnvironment: boolean
}

/**
 * Reads the settings commands need; the rest of the configuration may be absent or wrong meanwhile.
 * @throws {ConfigError} for a setting that is needed and wrong
 */
export function readEnvironment(env: Record<string, string | undefined> = process.env): CommandEnvironment {
  return { ...parsePlaces(env), keyInEnvironment: Boolean(env.GUILDHALL_SECRET_KEY) }
}
