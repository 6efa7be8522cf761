import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres-server'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** One server for all tests of a project, stopped when they are done. */
export default async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  if (!server) throw new Error('no PostgreSQL server is installed')
  project.provide('postgresUrl', server.url)
  return () => server.stop()
}
