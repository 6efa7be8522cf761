import { shownName, textFromGit } from '@/server/kernel/git/ref-text'
import { readGit } from '@/server/kernel/git/run'
import { withGitSlot } from '@/server/kernel/git/slots'
import { repositoryPath } from './paths'
import { listRefs, maxSorted, type RefInfo, type RefsCtx } from './refs'

/** A branch with the details of its newest commit that are shown in one row of a list. */
export interface BranchTip {
  name: string
  sha: string
  /** The beginning of the commit message. */
  summary: string
  author: string
  date: Date
}

const fields = ['%H', '%at', '%<(200,trunc)%an', '%<(300,trunc)%s', '%D']
const command = [
  ...['log', '--no-walk=sorted', '--branches', '--decorate=full', '--decorate-refs=refs/heads/'],
  `--format=${fields.join('%x00')}`,
]

const maxLine = 1024 * 1024

class Enough extends Error {}

/**
 * Reads the branches with the newest commits, and the default branch, using one `git` command. If there are
 * more than 20,000 branches, reads the first ones by name instead. `head` is undefined if the default branch
 * does not exist.
 * @throws {DomainError} tooManyRequests if Git is overloaded.
 */
export async function newestBranches(
  ctx: RefsCtx,
  storageKey: string,
  { limit, defaultBranch, count }: { limit: number; defaultBranch: string; count?: number },
): Promise<{ newest: BranchTip[]; head: BranchTip | undefined }> {
  if ((count ?? 0) > maxSorted) {
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

/** Reduces a branch to the details that are shown in one row of a list. */
export function tipOf({ name, commit: { sha, message, author } }: RefInfo): BranchTip {
  return { name, sha, summary: firstLine(message), author: author.name, date: author.date }
}

const maxSummary = 300

/** Returns the first line of a commit or tag message, truncated to 300 characters. */
export const firstLine = (message: string): string =>
  (message.split('\n', 1)[0] ?? '').slice(0, maxSummary).trim()

// A commit to which several branches point appears once, on a line with all their names.
function parseTips(line: string): BranchTip[] {
  const [sha = '', seconds, author = '', summary = '', refs = ''] = line.split('\0')
  const names = refs
    .split(', ')
    .flatMap(ref => (ref.startsWith(prefix) ? [shownName(ref.slice(prefix.length))] : []))
  const shown = {
    sha,
    summary: summary.toWellFormed().trim(),
    author: author.toWellFormed().trim(),
    date: new Date(Number(seconds) * 1000),
  }
  return names.sort().map(name => ({ name, ...shown }))
}

const prefix = 'refs/heads/'

/** Collects lines from chunks of output. Lines longer than about 1 MiB are cut. */
function lineReader(take: (line: string) => void): (chunk: Buffer) => void {
  let held: Buffer[] = []
  let size = 0
  const keep = (part: Buffer) => {
    if (size < maxLine) held.push(part)
    size += part.length
  }
  return chunk => {
    let at = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
      keep(chunk.subarray(at, end))
      const line = textFromGit(Buffer.concat(held))
      held = []
      size = 0
      at = end + 1
      take(line)
    }
    keep(chunk.subarray(at))
  }
}
