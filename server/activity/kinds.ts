import { neverTime, wireTime } from '@/server/kernel/wire'
import type { PushedCommit } from '@/server/repos'
import type { activityKinds } from './schema'

export type ActivityKind = (typeof activityKinds)[number]

/** The events that feeds tell of, each with the words the wire has for it. */
export const feedEvents = {
  'repository.created': () => ({ op_type: 'create_repo' }),
  'git.pushed': (facts, repository) => ({
    op_type: 'commit_repo',
    ref_name: text(facts.ref),
    content: pushContent(facts, repository),
  }),
  'ref.created': facts => ({
    op_type: facts.refType === 'tag' ? 'push_tag' : 'commit_repo',
    ref_name: text(facts.ref),
  }),
  'ref.deleted': facts => ({
    op_type: facts.refType === 'tag' ? 'delete_tag' : 'delete_branch',
    ref_name: text(facts.ref),
  }),
  'release.published': facts => ({
    op_type: 'publish_release',
    ref_name: `refs/tags/${text(facts.tag)}`,
    content: text(facts.title),
  }),
} as const satisfies Record<string, (facts: Facts, repository: string) => Told>

/** Those that tell of the code: only who may read it may know. */
export const codeEvents: readonly FeedEvent[] = ['git.pushed', 'ref.created', 'ref.deleted']

export type FeedEvent = keyof typeof feedEvents
export type Facts = Record<string, unknown>

interface Told {
  op_type: ActivityKind
  ref_name?: string
  content?: string
}

/**
 * What an event in this repository, by its full name, is called in a feed. Events of other kinds are none of a feed's
 * business.
 */
export function tell(kind: string, facts: Facts, repository: string): Required<Told> {
  const told: Told = feedEvents[kind as FeedEvent](facts, repository)
  return { ref_name: '', content: '', ...told }
}

// The shape that existing clients parse out of the text. What was recorded first has no list of commits.
function pushContent(facts: Facts, repository: string): string {
  const commits = (Array.isArray(facts.newest) ? (facts.newest as PushedCommit[]) : []).map(commitOf)
  const head = commits.find(commit => commit.Sha1 === facts.after)
  const [before, after] = [text(facts.before), text(facts.after)]
  return JSON.stringify({
    Commits: commits,
    HeadCommit: head ?? { ...noCommit, Sha1: after, Message: text(facts.summary) },
    CompareURL: /^0*$/.test(before) ? '' : `${repository}/compare/${before}...${after}`,
    Len: Number(facts.commits ?? 0),
  })
}

const commitOf = ({ sha, message, author, committer, date }: PushedCommit) => ({
  Sha1: sha,
  Message: message,
  AuthorEmail: author.email,
  AuthorName: author.name,
  CommitterEmail: committer.email,
  CommitterName: committer.name,
  Timestamp: wireTime(new Date(date)),
})

const noCommit = {
  Sha1: '',
  Message: '',
  AuthorEmail: '',
  AuthorName: '',
  CommitterEmail: '',
  CommitterName: '',
  Timestamp: neverTime,
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
