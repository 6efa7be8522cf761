import type { OpenDatabase } from '../handle'
import { openEmbeddedCopy } from './embedded-template'
import { openServerCopy } from './server-template'

/**
 * Gives a fresh, migrated database that nobody else sees; closing it throws it away.
 * GUILDHALL_TEST_DATABASE_URL chooses a server, otherwise it lives in memory.
 */
export function openTestDatabase(options: { poolSize?: number } = {}): Promise<OpenDatabase> {
  const serverUrl = process.env.GUILDHALL_TEST_DATABASE_URL
  return serverUrl ? openServerCopy(serverUrl, options) : openEmbeddedCopy()
}

/** Gives one on the tests' PostgreSQL where there is one: the embedded engine takes far longer over many rows. */
export function openLargeTestDatabase(): Promise<OpenDatabase> {
  const serverUrl = process.env.GUILDHALL_TEST_POSTGRES_URL
  return serverUrl ? openServerCopy(serverUrl) : openTestDatabase()
}
