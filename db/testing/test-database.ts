import type { OpenDatabase } from '../handle'
import { openEmbeddedCopy } from './embedded-template'
import { openServerCopy } from './server-template'

/**
 * Gives a fresh, migrated database that nobody else sees; closing it throws it away.
 * GUILDHALL_TEST_DATABASE_URL chooses a server, otherwise it lives in memory.
 */
export function openTestDatabase(): Promise<OpenDatabase> {
  const serverUrl = process.env.GUILDHALL_TEST_DATABASE_URL
  return serverUrl ? openServerCopy(serverUrl) : openEmbeddedCopy()
}
