import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bareRepositories } from '@/testing/bare-repositories'
import { Pack } from '@/testing/pack'
import { dealt, oneOf, type Random } from '@/testing/random'
import { adminHeaders } from '../api'
import { addCommit } from './commits'
import { kinds } from './trees'

/** A commit with a hostile tree, and what requests can name in it. */
export interface HostileCommit {
  kind: string
  repository: string
  branch: string
  commit: string
  parent: string
  tree: string
  paths: Buffer[]
}

const perRepository = 10

/** Creates repositories of the administrator with this many hostile trees, each on a branch of its own. */
export async function makeHostileTrees(
  url: string,
  data: string,
  random: Random,
  count: number,
): Promise<HostileCommit[]> {
  const deck = dealt(random, Object.keys(kinds), count)
  const made: HostileCommit[] = []
  while (deck.length > 0) {
    const name = `hostile-${made.length}`
    const before = new Set(await bareRepositories(data))
    const body = JSON.stringify({ name, auto_init: true, default_branch: 'main' })
    const response = await fetch(`${url}/api/v1/user/repos`, { method: 'POST', headers: adminHeaders, body })
    if (response.status !== 201) throw new Error(await response.text())
    const directory = (await bareRepositories(data)).find(path => !before.has(path))
    if (!directory) throw new Error('the repository has no directory')
    made.push(...(await fill(directory, name, random, deck.splice(0, perRepository))))
  }
  return made
}

async function fill(
  directory: string,
  repository: string,
  random: Random,
  deck: readonly string[],
): Promise<HostileCommit[]> {
  const pack = new Pack()
  const made: HostileCommit[] = []
  const first = addCommit(pack, () => 0, pack.tree([]), [])
  for (const [index, kind] of deck.entries()) {
    const tree = kinds[kind]!(pack, random)
    const parent = made.length > 0 && random() < 0.8 ? oneOf(random, made).commit : first
    const parents = random() < 0.9 ? [parent] : [parent, first, 'e'.repeat(40)]
    const commit = addCommit(pack, random, tree.id, parents)
    const branch = index === 0 ? 'main' : `${oneOf(random, branchNames)}-${index}`
    made.push({ kind, repository, branch, commit, parent, tree: tree.id, paths: tree.paths })
  }
  await pack.writeTo(directory)
  await rm(join(directory, 'refs/heads/main'))
  const refs = made.flatMap(({ branch, commit }) => [
    `${commit} refs/heads/${branch}`,
    `${commit} refs/tags/v-${branch}`,
  ])
  const packed = join(directory, 'packed-refs')
  await writeFile(packed, `# pack-refs with: sorted\n${refs.sort(byName).join('\n')}\n`)
  return made
}

const byName = (a: string, b: string): number =>
  Buffer.compare(Buffer.from(a.slice(41)), Buffer.from(b.slice(41)))
const branchNames = [
  'topic',
  'a/b/c',
  '-x',
  '--output=x',
  '"><img src=x onerror=alert(1)>',
  '%00',
  '%2e%2e',
  'é',
  '\u202e',
  "'--",
  'refs/heads/main',
  'deadbeef',
  'x'.repeat(200),
  '{}',
  '#',
  '&',
  '%',
]
