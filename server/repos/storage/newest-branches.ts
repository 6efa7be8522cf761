import { withGitSlot } from '@/server/kernel/git/limit'
import { readGit } from '@/server/kernel/git/run'
import { repositoryPath } from './paths'
import { listRefs, mostSorted, type RefInfo, type RefsCtx } from './refs'

/** A branch with the commit it leads to, as far as a line shows it. */
export interface BranchTip {
  name: string
  sha: string
  /** The beginning of the commit's message. */
  summary: string
  author: string
  date: Date
}

const fields = ['%H', '%at', '%<(200,trunc)%an', '%<(300,trunc)%s', '%D']
const command = [
  ...['log', '--no-walk=sorted', '--branches', '--decorate=full', '--decorate-refs=refs/heads/'],
  `--format=${fields.join('%x00')}`,
]

const mostLine = 1024 * 1024

class Enough extends Error {}

/**
 * The branches with the newest commits, and the default branch wherever it stands, read with one command; of very many,
 * the first by name. The default branch is undefined when there is none of that name. Throws tooManyRequests when git
 * has too much to do.
 */
export async function newestBranches(
  ctx: RefsCtx,
  storageKey: string,
  { limit, defaultBranch, count }: { limit: number; defaultBranch: string; count?: number },
): Promise<{ newest: BranchTip[]; head: BranchTip | undefined }> {
  if ((count ?? 0) > mostSorted) {
    const wanted = { offset: 0, limit, first: defaultBranch, count }
    const tips = (await listRefs(ctx, storageKey, 'heads', wanted)).items.map(tipOf)
    return { newest: tips, head: tips.find(tip => tip.name === defaultBranch) }
  }
  const repository = repositoryPath(ctx.config, storageKey)
  const newest: BranchTip[] = []
  let head: BranchTip | undefined
  const take = lineReader(line => {
    const tips = parseTips(line)
    head ??= tips.find(tip => tip.name === defaultBranch)
    newest.push(...tips.slice(0, limit - newest.length))
    if (head && newest.length >= limit) throw new Enough()
  })
  await withGitSlot(ctx, () => readGit(command, { repository }, take)).catch(error => {
    if (!(error instanceof Enough)) throw error
  })
  return { newest, head }
}

/** What a line shows of a branch that was read. */
export function tipOf({ name, commit: { sha, message, author } }: RefInfo): BranchTip {
  return { name, sha, summary: firstLine(message), author: author.name, date: author.date }
}

const mostSummary = 300
const firstLine = (message: string): string => (message.split('\n', 1)[0] ?? '').slice(0, mostSummary).trim()

// A commit that many branches lead to is on one line with all their names.
function parseTips(line: string): BranchTip[] {
  const [sha = '', seconds, author = '', summary = '', refs = ''] = line.split('\0')
  const names = refs.split(', ').flatMap(ref => (ref.startsWith(prefix) ? [ref.slice(prefix.length)] : []))
  const shown = {
    sha,
    summary: summary.trim(),
    author: author.trim(),
    date: new Date(Number(seconds) * 1000),
  }
  return names.sort().map(name => ({ name, ...shown }))
}

const prefix = 'refs/heads/'

/** Gathers lines from pieces of output. Of one that is longer than a mebibyte the rest is left out. */
function lineReader(take: (line: string) => void): (chunk: Buffer) => void {
  let held: Buffer[] = []
  let size = 0
  const keep = (part: Buffer) => {
    if (size < mostLine) held.push(part)
    size += part.length
  }
  return chunk => {
    let at = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      keep(chunk.subarray(at, end))
      const line = Buffer.concat(held).toString('utf8')
      held = []
      size = 0
      at = end + 1
      take(line)
    }
    keep(chunk.subarray(at))
  }
}
