import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { OpenDatabase } from '../handle'
import { migrate } from '../migrate'
import { once } from '../once'
import { openServer } from '../server/open'
import { templateKey } from './template'

const templateLock = 4_711_002

/** Opens a new migrated database on the server, copied from the template. Closing it drops it. */
export async function openServerCopy(serverUrl: string, { poolSize = 5 } = {}): Promise<OpenDatabase> {
  const { url, drop } = await copyServerDatabase(serverUrl)
  const open = await openServer(url, { poolSize })
  return { ...open, close: once(() => open.close().then(drop)) }
}

/**
 * Creates a migrated database on the server, copied from the template. Returns its URL and a function that
 * drops it.
 */
export async function copyServerDatabase(serverUrl: string): Promise<ServerDatabase> {
  return createDatabase(serverUrl, await ensureTemplate(serverUrl))
}

/** Creates an empty, unmigrated database on the server. Returns its URL and a function that drops it. */
export async function createServerDatabase(serverUrl: string): Promise<ServerDatabase> {
  return createDatabase(serverUrl, 'template0')
}

interface ServerDatabase {
  url: string
  drop(): Promise<void>
}

async function createDatabase(serverUrl: string, template: string): Promise<ServerDatabase> {
  const name = `guildhall_test_${randomBytes(8).toString('hex')}`
  await onServer(serverUrl, client => client.query(`create database ${name} template ${template}`))
  return {
    url: withDatabase(serverUrl, name),
    drop: () =>
      onServer(serverUrl, async client => {
        await client.query(`drop database if exists ${name} with (force)`)
      }),
  }
}

const templates = new Map<string, Promise<string>>()

function ensureTemplate(serverUrl: string): Promise<string> {
  const template = templates.get(serverUrl) ?? makeTemplate(serverUrl)
  templates.set(serverUrl, template)
  return template
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const name = `guildhall_template_${await templateKey()}`
  await onServer(serverUrl, async client => {
    await client.query('select pg_advisory_lock($1)', [templateLock])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount) return

    // Renamed once complete, so that a killed run leaves no incomplete template.
    await client.query(`drop database if exists ${name}_new with (force)`)
    await client.query(`create database ${name}_new template template0`)
    const open = await openServer(withDatabase(serverUrl, `${name}_new`), { poolSize: 1 })
    try {
      await migrate(open.db)
    } finally {
      await open.close()
    }
    await client.query(`alter database ${name}_new rename to ${name}`)
  })
  return name
}

async function onServer<T>(serverUrl: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
