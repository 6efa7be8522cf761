import { type Commit, parseCommit, tagMessage } from '@/server/kernel/git/commit'
import { inGitLine } from '@/server/kernel/git/line'
import { type GitObject, readObjects } from '@/server/kernel/git/objects'
import { eachRef, oneRef, type Ref } from '@/server/kernel/git/refs'
import { repositoryPath, type StorageConfig } from './folders'

export type RefKind = 'heads' | 'tags'

/** A branch or tag with the commit it leads to; `tag` is there for annotated ones. */
export interface RefInfo {
  name: string
  commit: Commit
  tag?: { sha: string; message: string }
}

// Longer ones are no paths on the disk, where git puts them first of all.
const mostNameBytes = 4096

/**
 * A part of the branches or tags, sorted by name, and how many there are. However many, only the part is kept.
 * Throws tooManyRequests when git has too much to do.
 */
export async function listRefs(
  config: StorageConfig,
  storageKey: string,
  kind: RefKind,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ items: RefInfo[]; total: number }> {
  const repository = repositoryPath(config, storageKey)
  return await inGitLine(async () => {
    const wanted: Ref[] = []
    let total = 0
    await eachRef(repository, `refs/${kind}/`, ref => {
      if (total >= offset && total < offset + limit) wanted.push(ref)
      total++
    })
    return { items: await look(repository, wanted), total }
  })
}

/** One branch or tag; undefined when there is none of that name. Throws tooManyRequests as `listRefs` does. */
export async function findRef(
  config: StorageConfig,
  storageKey: string,
  kind: RefKind,
  name: string,
): Promise<RefInfo | undefined> {
  if (!canBeSought(name)) return undefined
  const repository = repositoryPath(config, storageKey)
  return await inGitLine(async () => {
    const found = await oneRef(repository, `refs/${kind}/${name}`)
    return found && (await look(repository, [found]))[0]
  })
}

// Git keeps more names than we would give. What it cannot keep would be a pattern, or no argument of a program.
const canBeSought = (name: string): boolean =>
  !/[*?[\\\0]/.test(name) && Buffer.byteLength(name) <= mostNameBytes

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
  const name = ref.split('/').slice(2).join('/')
  const commit = parseCommit(target)
  if (object.type !== 'tag') return { name, commit }
  return { name, commit, tag: { sha: object.sha, message: tagMessage(object) } }
}
