import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/**
 * Starts one PostgreSQL server for all tests of all projects and stops it at the end. Tests that call
 * `startPostgres` get this server.
 */
export default async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  if (!server) return async () => undefined
  process.env.GUILDHALL_TEST_POSTGRES_URL = server.url
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}
