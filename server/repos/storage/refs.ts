import { type Commit, parseCommit } from '@/server/kernel/git/commit'
import { type GitObject, readObjects } from '@/server/kernel/git/objects'
import { nameShownAs, shownName } from '@/server/kernel/git/ref-text'
import { argumentFor, eachRef, eachRefSorted, oneRef, type Ref } from '@/server/kernel/git/refs'
import { GitError, GitTimeout } from '@/server/kernel/git/run'
import { type GitClient, withGitSlot } from '@/server/kernel/git/slots'
import { parseTag } from '@/server/kernel/git/tag'
import { repositoryPath, type StorageConfig } from './paths'

export type RefKind = 'heads' | 'tags'

/**
 * A branch or tag by its display name, with the commit to which it points. `tag` is present for annotated
 * tags.
 */
export interface RefInfo {
  name: string
  /**
   * Whether the ref name is valid UTF-8, so that `name` is the exact name rather than an encoded form of it.
   */
  isText: boolean
  commit: Commit
  tag?: { sha: string; message: string }
}

// Git first stores a ref as a file, and file systems do not allow longer paths.
const maxNameBytes = 4096

// To sort by time, Git reads a commit for each ref, so larger lists are ordered by name.
const maxSorted = 20_000

// Reading old commits in large packs is slow. Listing by name reads no commits.
const sortingMs = 5000

/** Context for reading refs: the directory of all repositories, and the client on whose behalf Git runs. */
export type RefsCtx = GitClient & { config: StorageConfig }

export interface RefsWanted {
  offset: number
  limit: number
  /** The number of branches or tags, if known. */
  count?: number | undefined
  /** Lists only names that contain this text, ignoring case. */
  q?: string | undefined
  /** The name that is listed before all others. */
  first?: string | undefined
  /** Newest commit first by default. `version` lists the highest version first. */
  sort?: 'newest' | 'version' | 'name' | undefined
}

/**
 * Lists a page of a repository's branches or tags, with their total number. Only that page is kept in memory.
 * Above 20,000 refs, or if sorting takes more than five seconds, they are ordered by name.
 * @throws {DomainError} tooManyRequests if Git is overloaded.
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
 * Lists the names that `listRefs` would return, without reading commits. Leaves out names that are not valid
 * UTF-8.
 * @throws {DomainError} tooManyRequests if Git is overloaded.
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
 * Counts a repository's branches or tags.
 * @throws {DomainError} tooManyRequests if Git is overloaded.
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
    // A commit that Git cannot read has no time to sort by, but its ref can still be listed by name.
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
  // Collects one extra ref before the page: a ref that is listed first but found later moves the others back
  // by one position.
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
 * Finds a branch or tag by its display name, without `refs/heads/` or `refs/tags/`; undefined if there is
 * none.
 * @throws {DomainError} tooManyRequests if Git is overloaded.
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

// If two names have the same display name, the one that is valid UTF-8 is returned.
async function oneNamed(repository: string, kind: RefKind, shown: string): Promise<Ref | undefined> {
  for (const name of namesOf(shown)) {
    const found = await oneRef(repository, `refs/${kind}/${name}`)
    if (found) return found
  }
  return undefined
}

const namesOf = (shown: string): string[] => [shown, nameShownAs(shown)].filter(name => name !== undefined)

/**
 * Finds branches or tags by their display names, without `refs/heads/` or `refs/tags/`. Leaves out names that
 * do not exist.
 */
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
    // If no ref has this name, Git lists all refs in the directory with this name.
    if (!sought.has(ref.ref)) return
    const name = nameOf(ref)
    if (ref.ref.isWellFormed() || !found.has(name)) found.set(name, ref)
  })
  return found
}

// Git allows more names than the server creates, so this rejects only names that Git would read as a pattern
// or that cannot be a command argument.
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
  return { ...named, commit, tag: { sha: object.sha, message: parseTag(object).message } }
}

const nameOf = ({ ref }: Pick<Ref, 'ref'>): string => shownName(ref.split('/').slice(2).join('/'))
