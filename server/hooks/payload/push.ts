import type { FactsOf, PushedCommit } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isZeroId, shortRef } from '@/server/kernel/git/ref-names'
import { encodePath } from '@/server/kernel/url-path'
import { wireTime } from '@/server/kernel/wire'
import type { Repository } from '@/server/repos/schema'
import { findAccountsByEmail } from '@/server/users'
import type { PushedCommitBody } from './bodies'
import { type ReadCommit, readPushedCommits } from './commits'
import { repositoryState } from './state'
import { type EventOf, type HookPayload, payload } from './types'

/**
 * Builds the payload of a push with at most its five newest commits. Uses the commits that were recorded with
 * the event if Git cannot read them.
 */
export async function pushed(
  ctx: ServiceCtx,
  event: EventOf<'git.pushed'>,
): Promise<HookPayload | undefined> {
  const { repositoryId, ref, before = '', after = '', deployKey } = event.facts
  const found = ref && (await repositoryState(ctx, { ...event, deployKey }, repositoryId))
  if (!found) return undefined
  const { repository, sender, row } = found
  const { newest, head, total } = await commitsOf(ctx, event.facts, row?.storage_key, repository)
  const view = await commitViewer(ctx, repository, [...newest, ...(head ? [head] : [])])
  const body = {
    ref,
    before,
    after,
    compare_url: compareUrl(event.facts, repository),
    commits: newest.map(view),
    total_commits: total,
    head_commit: head ? view(head) : null,
    repository,
    pusher: sender,
    sender,
  }
  return payload('push', body, ref)
}

/** Finds the people of commits, and returns a function that converts these commits to the form of payloads. */
export async function commitViewer(
  ctx: ServiceCtx,
  repository: Repository,
  commits: readonly ReadCommit[],
): Promise<(commit: ReadCommit) => PushedCommitBody> {
  const people = await findAccountsByEmail(ctx, commits.flatMap(emailsOf))
  const names = new Map([...people].map(([email, { name }]) => [email, name]))
  return commit => viewCommit(commit, repository, names)
}

interface Commits {
  newest: ReadCommit[]
  head: ReadCommit | undefined
  total: number
}

async function commitsOf(
  ctx: ServiceCtx,
  facts: Partial<FactsOf<'git.pushed'>>,
  storageKey: string | undefined,
  { default_branch }: Repository,
): Promise<Commits> {
  const { ref = '', before = '', after = '', newest = [], commits = 0, quiet } = facts
  if (isZeroId(after)) return { newest: [], head: undefined, total: 0 }
  const isTag = ref.startsWith('refs/tags/')
  const ids = [...newest.map(({ sha }) => sha), after]
  const alongside = shortRef(ref) === default_branch ? undefined : `refs/heads/${default_branch}`
  const range = quiet && !isTag ? { tip: after, base: isZeroId(before) ? alongside : before } : undefined
  const read = storageKey ? await readPushedCommits(ctx, { storageKey, ids, range }) : undefined
  const known = new Map(newest.map(commit => [commit.sha, withoutPaths(commit)]))
  const commitOf = (sha: string) => read?.commits.get(sha) ?? known.get(sha)
  // An annotated tag has its own ID, so the only commit that was read is the one it points to.
  const head = commitOf(after) ?? (isTag ? read?.commits.values().next().value : undefined)
  const shown = range ? (read?.newest ?? []) : newest.map(({ sha }) => sha)
  return {
    newest: shown.flatMap(sha => commitOf(sha) ?? []),
    head,
    total: range ? (read?.total ?? 0) : commits,
  }
}

const withoutPaths = (commit: PushedCommit): ReadCommit => ({
  ...commit,
  added: [],
  removed: [],
  modified: [],
})

const emailsOf = ({ author, committer }: PushedCommit): string[] => [author.email, committer.email]

function viewCommit(
  { sha, message, date, author, committer, added, removed, modified }: ReadCommit,
  { html_url }: Repository,
  names: ReadonlyMap<string, string>,
): PushedCommitBody {
  const person = ({ name, email }: PushedCommit['author']) => ({
    name,
    email,
    username: names.get(email) ?? '',
  })
  return {
    id: sha,
    message,
    url: `${html_url}/commit/${sha}`,
    author: person(author),
    committer: person(committer),
    verification: null,
    timestamp: wireTime(new Date(date)),
    added,
    removed,
    modified,
  }
}

// A new branch is compared with the default branch, unless it is the default branch.
function compareUrl(
  { ref = '', before = '', after = '' }: Partial<FactsOf<'git.pushed'>>,
  { html_url, default_branch }: Repository,
): string {
  if (isZeroId(after) || ref.startsWith('refs/tags/')) return ''
  const base = isZeroId(before) ? default_branch : before
  if (base === shortRef(ref)) return ''
  return `${html_url}/compare/${encodePath(base)}...${after}`
}
