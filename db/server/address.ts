import pg from 'pg'

/**
 * Returns the host, port and database of a connection string, for messages.
 * @throws {Error} if it is not a connection string.
 */
export function describeServer(databaseUrl: string): string {
  const { host, port, database } = parse(databaseUrl)
  return `"${database ?? ''}" at ${host}:${port}`
}

// `pg.Client` also applies defaults from the environment. Its parse error contains the whole connection
// string, including the password, so it is not passed on as a cause.
function parse(databaseUrl: string): pg.Client {
  if (/^postgres(ql)?:\/\//.test(databaseUrl)) {
    try {
      return new pg.Client({ connectionString: databaseUrl })
    } catch {}
  }
  throw new Error('DATABASE_URL is not a connection string like postgres://user:password@host:5432/name')
}
