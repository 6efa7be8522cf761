import type { OpenDatabase } from '../handle'
import { openEmbeddedCopy } from './embedded-template'
import { openServerCopy } from './server-template'

/**
 * Opens a new migrated database for one test and deletes it when closed. It is on the server at
 * GUILDHALL_TEST_DATABASE_URL, or in memory if that is not set.
 */
export function openTestDatabase(options: { poolSize?: number } = {}): Promise<OpenDatabase> {
  const serverUrl = process.env.GUILDHALL_TEST_DATABASE_URL
  return serverUrl ? openServerCopy(serverUrl, options) : openEmbeddedCopy()
}

/**
 * Opens a test database for many rows: on the tests' PostgreSQL server if there is one, because the embedded
 * engine is much slower.
 */
export function openLargeTestDatabase(): Promise<OpenDatabase> {
  const serverUrl = process.env.GUILDHALL_TEST_POSTGRES_URL
  return serverUrl ? openServerCopy(serverUrl) : openTestDatabase()
}
