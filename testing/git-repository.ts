import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { makeBareRepository, newStorageKey, repositoryPath } from '@/server/repos/storage'
import { git, gitOk } from '@/testing/git'
import type { Person } from './people'
import type { Site } from './site'

/** A repository with its database row and its Git data. */
export interface GitRepository {
  id: number
  name: string
  /** The URL path of the repository, such as `/owner/name`. */
  path: string
  /** The path of the bare repository. */
  directory: string
}

type Overrides = Parameters<typeof makeRepository>[2]

/** Creates an empty repository for this owner. */
export async function makeGitRepository(
  site: Site,
  owner: { id: number; name: string },
  overrides: Overrides = {},
): Promise<GitRepository> {
  const storageKey = newStorageKey()
  const { object_format: objectFormat = 'sha1', default_branch: defaultBranch = 'main' } = overrides ?? {}
  await makeBareRepository(site.services.config, { storageKey, objectFormat, defaultBranch })
  const { id, name } = await makeRepository(site.db, owner.id, { ...overrides, storage_key: storageKey })
  const directory = repositoryPath(site.services.config, storageKey)
  return { id, name, path: `/${owner.name}/${name}`, directory }
}

/** Creates a repository for this owner, with one commit on `main`. */
export async function makeCommittedRepository(
  site: Site,
  owner: { id: number; name: string },
  overrides: Overrides = {},
): Promise<GitRepository & { commit: string }> {
  const made = await makeGitRepository(site, owner, { is_empty: false, branch_count: 1, ...overrides })
  const cwd = made.directory
  const tree = await gitOk(['hash-object', '-w', '-t', 'tree', '--stdin'], { cwd, input: '' })
  const commit = await gitOk(['commit-tree', tree, '-m', 'First'], { cwd })
  await gitOk(['update-ref', 'refs/heads/main', commit], { cwd })
  return { ...made, commit }
}

/** Returns the Git URL of a repository, with a token or with a username and password if `as` is set. */
export function addressOf(
  site: Site,
  { path }: Pick<GitRepository, 'path'>,
  as?: Person | { token: string } | { basic: [string, string] },
): string {
  const url = new URL(`${path}.git`, site.url)
  if (!as) return url.href
  const [name, secret] = 'basic' in as ? as.basic : ['anything', as.token]
  url.username = name
  url.password = secret
  return url.href
}

/** Creates a temporary directory for clones before the tests of a file, and deletes it after them. */
export function useWorkDirectory(): { path(name?: string): string } {
  let base = ''
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'guildhall-git-'))
  })
  afterAll(() => rm(base, { recursive: true, force: true }))
  return { path: (name = randomBytes(4).toString('hex')) => join(base, name) }
}

/** Creates a local repository with one commit and returns the commit's ID. */
export async function startLocal(directory: string, form: 'sha1' | 'sha256' = 'sha1'): Promise<string> {
  await gitOk(['init', '-q', `--object-format=${form}`, directory])
  return await commit(directory)
}

/** Commits a new file with a random name and returns the commit's ID. */
export async function commit(directory: string, message = 'A commit'): Promise<string> {
  const name = randomBytes(6).toString('hex')
  await writeFile(join(directory, name), `${name}\n`)
  await gitOk(['add', name], { cwd: directory })
  await gitOk(['commit', '-q', '-m', message], { cwd: directory })
  return await gitOk(['rev-parse', 'HEAD'], { cwd: directory })
}

/**
 * Returns the body of a request that pushes `main`, as Git sends it: the command followed by the packfile.
 */
export async function pushBody(local: string, tip: string): Promise<Buffer> {
  const command = `${'0'.repeat(40)} ${tip} refs/heads/main\0report-status side-band-64k`
  const length = (command.length + 4).toString(16).padStart(4, '0')
  await gitOk(['pack-objects', '-q', '--revs', 'pack'], { cwd: local, input: 'main\n' })
  const name = (await readdir(local)).find(file => file.endsWith('.pack')) ?? ''
  return Buffer.concat([Buffer.from(`${length}${command}0000`), await readFile(join(local, name))])
}

/** Reads the refs of the bare repository directly from disk. */
export async function refsOf({ directory }: GitRepository): Promise<Record<string, string>> {
  const { stdout } = await git(['--git-dir', directory, 'show-ref'])
  const lines = stdout.trim().split('\n').filter(Boolean)
  return Object.fromEntries(lines.map(line => line.split(' ').reverse()))
}

/** Returns the events recorded for a repository, oldest first. */
export async function recordedEvents(
  site: Site,
  repository: GitRepository,
): Promise<{ kind: string; actor: number | null; facts: Record<string, unknown> }[]> {
  const rows = await site.db
    .selectFrom('events')
    .select(['kind', 'actor_id', 'data'])
    .where('repository_id', '=', repository.id)
    .orderBy('id')
    .execute()
  return rows.map(row => ({
    kind: row.kind,
    actor: row.actor_id,
    facts: { ...row.data },
  }))
}

export function rowOf(site: Site, { id }: GitRepository) {
  return site.db.selectFrom('repositories').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}
