import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/**
 * One server for all tests of all projects, stopped when they are done. What starts a server for itself afterwards is
 * handed this one.
 */
export default async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  if (!server) return async () => undefined
  process.env.GUILDHALL_TEST_POSTGRES_URL = server.url
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}
