import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'

const mark = '/* prepared */'

/**
 * Marks a frequent query to be prepared: it is then parsed and planned only once per connection, which takes
 * longer than running it. The query must have one or few texts, and its plan must suit all
 * parameter values.
 */
export const prepared = sql.raw(mark)

/** Makes a connection prepare all queries that contain the mark `prepared`. */
export function prepareMarked(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const marked = (...args: unknown[]): unknown => {
    const [text, values] = args
    if (typeof text !== 'string' || !text.includes(mark)) return query(...args)
    return query({ name: nameOf(text), text, values })
  }
  client.query = marked as pg.PoolClient['query']
}

const names = new Map<string, string>()

// The server identifies prepared statements by names of at most 63 characters.
function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}
