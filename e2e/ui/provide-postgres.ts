import { startPostgres } from '@/db/testing/postgres-server'

/** Starts one PostgreSQL server, if it is installed, for the sites of all workers, and stops it at the end. */
export default async function providePostgres(): Promise<() => Promise<void>> {
  const server = await startPostgres()
  if (server) process.env.GUILDHALL_TEST_POSTGRES_URL = server.url
  return async () => server?.stop()
}
