import { type BoundedCache, createBoundedCache } from '../bounded-cache'
import { singleton } from '../singleton'
import { findObjects } from './objects'
import { isObjectId } from './ref-names'
import { nameShownAs } from './ref-text'
import { oneRef, type Ref } from './refs'
import { readStoredRefs } from './stored-refs'

/** A commit, and how it was named. */
export interface Revision {
  commit: string
  kind: 'branch' | 'tag' | 'commit'
  /** Display name of the branch or tag, or the ID of the commit. */
  name: string
  /** The branch or tag itself. */
  ref?: Ref
}

/**
 * Finds the commit that a branch, a tag, or a full commit ID names, in this order; undefined if there is none.
 * Source: rules for `ref` of the contents endpoints.
 */
export async function findRevision(repository: string, name: string): Promise<Revision | undefined> {
  return (await findNamed(repository, name, ['branch', 'tag'])) ?? (await findById(repository, name))
}

/**
 * Finds the commit that a tag, a branch, a full ref name, or a commit ID of at least four digits names, in this
 * order, as Git does; undefined if there is none or if the digits are ambiguous.
 */
export async function findCommitish(repository: string, name: string): Promise<Revision | undefined> {
  const [, kind, short] = /^refs\/(heads|tags)\/(.+)$/s.exec(name) ?? []
  if (kind && short) {
    const full = await findNamed(repository, short, [kind === 'heads' ? 'branch' : 'tag'])
    if (full) return full
  }
  const named = await findNamed(repository, name, ['tag', 'branch'])
  if (named) return named
  if (name === 'HEAD') return await peel(repository, name, { kind: 'commit', name })
  return await findByPrefix(repository, name)
}

/**
 * Returns the ID of the commit that a full commit ID, a branch, a tag, a full ref name, or a commit ID of at least seven
 * digits names, in this order; undefined if there is none or if the digits are ambiguous. Source: rules for commit statuses.
 */
export async function findCommit(repository: string, name: string): Promise<string | undefined> {
  const byId = await findById(repository, name)
  if (byId) return byId.commit
  const named = await findNamed(repository, name, ['branch', 'tag'])
  if (named) return named.commit
  return /^[0-9a-f]{1,6}$/i.test(name) ? undefined : (await findCommitish(repository, name))?.commit
}

/** Returns the ID of the commit that a full ID names, if that was found lately. */
export const knownCommit = (repository: string, id: string): string | undefined =>
  isObjectId(id) ? peeled().get(`${repository} ${id}`) : undefined

async function findByPrefix(repository: string, digits: string): Promise<Revision | undefined> {
  if (!/^[0-9a-f]{4,64}$/i.test(digits)) return undefined
  return await peel(repository, digits.toLowerCase(), { kind: 'commit' })
}

type NamedKind = Exclude<Revision['kind'], 'commit'>

const folders: Record<NamedKind, string> = { branch: 'heads', tag: 'tags' }

async function findNamed(
  repository: string,
  name: string,
  kinds: readonly NamedKind[],
): Promise<Revision | undefined> {
  if (!canBeName(name)) return undefined
  for (const kind of kinds) {
    for (const each of [name, nameShownAs(name)]) {
      const ref = each === undefined ? undefined : await oneRef(repository, `refs/${folders[kind]}/${each}`)
      if (ref) return await peel(repository, ref.id, { kind, name, ref })
    }
  }
  return undefined
}

// No ref has these characters in its name, and Git would read them as an expression, such as a search by a regular
// expression through the whole history.
const canBeName = (name: string): boolean =>
  name !== '' && Buffer.byteLength(name) <= 1000 && !/[\0-\x20\x7f~^:?*[\\]|\.\.|@\{/.test(name)

async function findById(repository: string, id: string): Promise<Revision | undefined> {
  return isObjectId(id) ? await peel(repository, id, { kind: 'commit' }) : undefined
}

// The commit that an object ID stands for never changes.
const peeled = (): BoundedCache<string> =>
  singleton('peeled-objects', () => createBoundedCache({ maxSize: 5_000, maxAgeMs: 10 * 60_000 }))

async function peel(
  repository: string,
  id: string,
  found: Pick<Revision, 'kind' | 'ref'> & { name?: string },
): Promise<Revision | undefined> {
  const key = `${repository} ${id}`
  const known = isObjectId(id) ? peeled().get(key) : undefined
  const commit = known ?? (await findObjects(repository, [`${id}^{commit}`]))[0]?.sha
  if (commit === undefined) return undefined
  if (isObjectId(id)) peeled().set(key, commit, 1)
  return { name: commit, ...found, commit }
}

/** A revision at the beginning of a path, and the rest of the path. */
export interface RevisionAndPath {
  revision: Revision
  path: string
}

// Git stores no deeper names of refs in practice.
const maxComponents = 20

/**
 * Splits a path that begins with a branch, a tag, or a commit, such as `feature/one/src/main.c`; undefined if it
 * begins with none. A branch and a branch below it cannot exist at the same time.
 */
export async function splitRevision(
  repository: string,
  text: string,
  kinds: readonly Revision['kind'][],
): Promise<RevisionAndPath | undefined> {
  const components = text.split('/')
  const splits = components.slice(0, maxComponents).map((_, index) => ({
    name: components.slice(0, index + 1).join('/'),
    path: components.slice(index + 1).join('/'),
  }))
  const possible = kinds.flatMap(kind =>
    kind === 'commit' ? [] : splits.filter(({ name }) => canBeName(name)).map(split => ({ ...split, kind })),
  )
  const refs = possible.map(({ kind, name }) => `refs/${folders[kind]}/${nameShownAs(name) ?? name}`)
  const stored = await readStoredRefs(repository, refs)
  const found = stored.includes(undefined) ? await findObjects(repository, refs) : stored
  for (const [index, { name, path, kind }] of possible.entries()) {
    const revision = found[index] && (await findNamed(repository, name, [kind]))
    if (revision) return { revision, path }
  }
  const [first] = splits
  const revision = kinds.includes('commit') && first ? await findByPrefix(repository, first.name) : undefined
  return revision && first && { revision, path: first.path }
}
