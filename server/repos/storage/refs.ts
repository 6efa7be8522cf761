import { type Commit, parseCommit, tagMessage } from '@/server/kernel/git/commit'
import { type GitObject, readObjects } from '@/server/kernel/git/objects'
import { nameShownAs, shownName } from '@/server/kernel/git/ref-text'
import { argumentFor, eachRef, eachRefSorted, oneRef, type Ref } from '@/server/kernel/git/refs'
import { GitError, GitTimeout } from '@/server/kernel/git/run'
import { type GitClient, withGitSlot } from '@/server/kernel/git/slots'
import { repositoryPath, type StorageConfig } from './paths'

export type RefKind = 'heads' | 'tags'

/** A branch or tag, by its name as it is shown, with the commit it leads to; `tag` is there for annotated ones. */
export interface RefInfo {
  name: string
  /** Whether the name is text, and so not only shown like this. */
  isText: boolean
  commit: Commit
  tag?: { sha: string; message: string }
}

// Longer ones are no paths on the disk, where git puts them first of all.
const maxNameBytes = 4096

// Of more, the lists come in the order of their names: to sort them by time, git reads a commit for each.
export const maxSorted = 20_000

// Old commits in large packs take long to read. By name no commit is read.
const sortingMs = 5000

/** Where repositories lie, and on whose behalf git runs. */
export type RefsCtx = GitClient & { config: StorageConfig }

export interface RefsWanted {
  offset: number
  limit: number
  /** How many there are, if known. */
  count?: number | undefined
  /** Keeps only names that contain this, in any case. */
  q?: string | undefined
  /** The name to list before all others. */
  first?: string | undefined
  /** The newest commit first, unless told otherwise; `version` begins with the highest. */
  sort?: 'newest' | 'version' | 'name' | undefined
}

/**
 * Lists a part of the branches or tags, and how many there are. Keeps only that part in memory. Above 20,000, and where
 * sorting takes over five seconds, they are in the order of their names.
 * @throws {DomainError} tooManyRequests when git is overloaded.
 */
export async function listRefs(
  ctx: RefsCtx,
  storageKey: string,
  kind: RefKind,
  wanted: RefsWanted,
): Promise<{ items: RefInfo[]; total: number }> {
  const repository = repositoryPath(ctx.config, storageKey)
  return await withGitSlot(ctx, async () => {
    const { refs, total } = await gatherSorted(ctx, repository, kind, wanted)
    return { items: await look(repository, refs), total }
  })
}

/**
 * Lists only the names of what `listRefs` returns as far as these are text, without reading commits.
 * @throws {DomainError} tooManyRequests when git is overloaded.
 */
export async function listRefNames(
  ctx: RefsCtx,
  storageKey: string,
  kind: RefKind,
  wanted: RefsWanted,
): Promise<{ names: string[]; total: number }> {
  const { refs, total } = await withGitSlot(ctx, () =>
    gatherSorted(ctx, repositoryPath(ctx.config, storageKey), kind, wanted),
  )
  return { names: refs.filter(({ ref }) => ref.isWellFormed()).map(nameOf), total }
}

/**
 * Counts the branches or tags.
 * @throws {DomainError} tooManyRequests when git is overloaded.
 */
export async function countRefs(ctx: RefsCtx, storageKey: string, kind: RefKind): Promise<number> {
  let count = 0
  await withGitSlot(ctx, () =>
    eachRef(repositoryPath(ctx.config, storageKey), `refs/${kind}/`, () => {
      count++
    }),
  )
  return count
}

async function gatherSorted(
  { disconnected }: RefsCtx,
  repository: string,
  kind: RefKind,
  wanted: RefsWanted,
): Promise<{ refs: Ref[]; total: number }> {
  const prefix = `refs/${kind}/` as const
  const byName = () => gather(wanted, take => eachRef(repository, prefix, take))
  const { sort: by = 'newest', count = 0 } = wanted
  if (by === 'name' || count > maxSorted) return await byName()
  const sorted = (take: (ref: Ref) => void) =>
    eachRefSorted(repository, prefix, { by, timeoutMs: sortingMs }, take)
  return await gather(wanted, sorted).catch(error => {
    // A commit that git cannot read has no time; the names are there all the same.
    const isUnreadable = error instanceof GitError && error.exitCode !== undefined
    if (!(isUnreadable || error instanceof GitTimeout) || disconnected?.().aborted) throw error
    return byName()
  })
}

async function gather(
  { offset, limit, q = '', first }: RefsWanted,
  each: (take: (ref: Ref) => void) => Promise<void>,
): Promise<{ refs: Ref[]; total: number }> {
  const sought = q.toLowerCase()
  // One more than wanted in front: where the first of all comes from further behind, these move on by one.
  const [from, to] = [Math.max(0, offset - 1), offset + limit]
  const others: Ref[] = []
  let pinned: Ref | undefined
  let passed = 0
  await each(ref => {
    const name = nameOf(ref)
    if (sought && !name.toLowerCase().includes(sought)) return
    if (name === first) {
      pinned = ref
      return
    }
    if (passed >= from && passed < to) others.push(ref)
    passed++
  })
  if (!pinned) return { refs: others.slice(offset - from, to - from), total: passed }
  const refs = offset === 0 ? [pinned, ...others].slice(0, limit) : others.slice(0, limit)
  return { refs, total: passed + 1 }
}

/**
 * Finds one branch or tag by its full short name, as it is shown; undefined when there is none.
 * @throws {DomainError} tooManyRequests when git is overloaded.
 */
export async function findRef(
  ctx: RefsCtx,
  storageKey: string,
  kind: RefKind,
  name: string,
): Promise<RefInfo | undefined> {
  if (!canBeSought(name)) return undefined
  const repository = repositoryPath(ctx.config, storageKey)
  return await withGitSlot(ctx, async () => {
    const found = await oneNamed(repository, kind, name)
    return found && (await look(repository, [found]))[0]
  })
}

// Of names that are shown alike, the one that is text.
async function oneNamed(repository: string, kind: RefKind, shown: string): Promise<Ref | undefined> {
  for (const name of namesOf(shown)) {
    const found = await oneRef(repository, `refs/${kind}/${name}`)
    if (found) return found
  }
  return undefined
}

const namesOf = (shown: string): string[] => [shown, nameShownAs(shown)].filter(name => name !== undefined)

/** Looks up branches or tags by their full short names, as they are shown; leaves out what is not there. */
export async function findRefs(
  repository: string,
  kind: RefKind,
  names: readonly string[],
): Promise<Map<string, Ref>> {
  const sought = new Set(
    names
      .filter(canBeSought)
      .flatMap(namesOf)
      .map(name => `refs/${kind}/${name}`),
  )
  const found = new Map<string, Ref>()
  if (sought.size === 0) return found
  await eachRef(repository, [...new Set([...sought].map(argumentFor))], ref => {
    // Where git has none of this name, it gives all below a directory of it.
    if (!sought.has(ref.ref)) return
    const name = nameOf(ref)
    if (ref.ref.isWellFormed() || !found.has(name)) found.set(name, ref)
  })
  return found
}

/**
 * Finds the commit that a name leads to: of a tag, otherwise of a branch, either also by its full name, otherwise by the
 * commit's id or enough of its beginning. undefined when there is none, or several begin so.
 * @throws {DomainError} tooManyRequests when git is overloaded.
 */
export async function findCommit(
  ctx: RefsCtx,
  storageKey: string,
  name: string,
): Promise<string | undefined> {
  if (!canBeSought(name)) return undefined
  const repository = repositoryPath(ctx.config, storageKey)
  const isFullName = /^refs\/(?:tags|heads)\//.test(name)
  const refs = namesOf(name).flatMap(each => [
    `refs/tags/${each}`,
    `refs/heads/${each}`,
    ...(isFullName ? [each] : []),
  ])
  return await withGitSlot(ctx, async () => {
    const id = (await firstId(repository, refs)) ?? (commitId.test(name) ? name : undefined)
    const [object] = id ? await readObjects(repository, [`${id}^{commit}`]) : []
    return object?.sha
  })
}

const commitId = /^[0-9a-f]{4,64}$/i

async function firstId(repository: string, refs: readonly string[]): Promise<string | undefined> {
  for (const ref of refs) {
    const found = await oneRef(repository, ref)
    if (found) return found.id
  }
  return undefined
}

// Git keeps more names than we would give. What it cannot keep would be a pattern, or no argument of a program.
const canBeSought = (name: string): boolean =>
  !/[*?[\\\0]/.test(name) && Buffer.byteLength(name) <= maxNameBytes

async function look(repository: string, refs: readonly Ref[]): Promise<RefInfo[]> {
  const objects = await readObjects(
    repository,
    refs.flatMap(({ id }) => [id, `${id}^{}`]),
  )
  return refs.flatMap(({ ref }, index) => {
    const object = objects[2 * index]
    const target = objects[2 * index + 1]
    return object && target ? [refInfo(ref, object, target)] : []
  })
}

function refInfo(ref: string, object: GitObject, target: GitObject): RefInfo {
  const named = { name: nameOf({ ref }), isText: ref.isWellFormed() }
  const commit = parseCommit(target)
  if (object.type !== 'tag') return { ...named, commit }
  return { ...named, commit, tag: { sha: object.sha, message: tagMessage(object) } }
}

const nameOf = ({ ref }: Pick<Ref, 'ref'>): string => shownName(ref.split('/').slice(2).join('/'))
