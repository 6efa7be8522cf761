import pg from 'pg'

/**
 * Names host, port and database of a connection string, for messages.
 * @throws {Error} when it is not one.
 */
export function describeServer(databaseUrl: string): string {
  const { host, port, database } = parse(databaseUrl)
  return `"${database ?? ''}" at ${host}:${port}`
}

// The client knows the environment's defaults too. Its parse error holds the whole text, password
// included, so it is not passed on as a cause.
function parse(databaseUrl: string): pg.Client {
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) {
    try {
      return new pg.Client({ connectionString: databaseUrl })
    } catch {}
  }
  throw new Error('DATABASE_URL is not a connection string like postgres://user:password@host:5432/name')
}
