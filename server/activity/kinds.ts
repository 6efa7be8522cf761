import type { activityKinds } from './schema'

export type ActivityKind = (typeof activityKinds)[number]

/** The events that feeds tell of, each with the words the wire has for it. */
export const feedEvents = {
  'repository.created': () => ({ op_type: 'create_repo' }),
  'git.pushed': facts => ({ op_type: 'commit_repo', ref_name: text(facts.ref), content: pushContent(facts) }),
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
} as const satisfies Record<string, (facts: Facts) => Told>

/** Those that tell of the code: only who may read it may know. */
export const codeEvents: readonly FeedEvent[] = ['git.pushed', 'ref.created', 'ref.deleted']

export type FeedEvent = keyof typeof feedEvents
export type Facts = Record<string, unknown>

interface Told {
  op_type: ActivityKind
  ref_name?: string
  content?: string
}

/** What an event is called in a feed. Events of other kinds are none of a feed's business. */
export function tell(kind: string, facts: Facts): Required<Told> {
  const told: Told = feedEvents[kind as FeedEvent](facts)
  return { ref_name: '', content: '', ...told }
}

// The shape that existing clients parse out of the text.
function pushContent(facts: Facts): string {
  return JSON.stringify({
    Commits: [],
    HeadCommit: { Sha1: text(facts.after), Message: text(facts.summary) },
    CompareURL: '',
    Len: Number(facts.commits ?? 0),
  })
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
