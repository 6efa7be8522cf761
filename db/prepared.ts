import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'

const mark = '/* prepared */'

/**
 * Stands in a query that nearly every call needs: a server parses and plans it once for each connection, which takes longer
 * than to run it. The text must be the same every time, and its plan must suit all values. The embedded database, whose one
 * session serves all connections, takes it for a comment.
 */
export const prepared = sql.raw(mark)

/** Makes a connection prepare the queries with the mark `prepared`. */
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

// The server tells statements apart by name, of 63 characters at most.
function nameOf(text: string): string {
  const name = names.get(text) ?? createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}
