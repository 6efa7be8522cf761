import type { FactsOf, StoredEvent } from '@/server/events'

/** Describes an event without its scope: `main was pushed, with 2 commits`. */
export function summaryOf({ kind, facts }: StoredEvent): string {
  switch (kind) {
    case 'git.pushed': {
      const { commits = 0 } = facts
      if (/^0+$/.test(facts.after ?? '')) return `The deletion of ${shortRef(facts.ref)} was pushed`
      if (commits === 0) return `${shortRef(facts.ref)} was pushed`
      return `${shortRef(facts.ref)} was pushed, with ${commits === 1 ? '1 commit' : `${commits} commits`}`
    }
    case 'refs.changed':
      return `${facts.refs ?? 'Many'} branches and tags were pushed at once`
    case 'ref.created':
      return `The ${facts.refType ?? 'branch'} ${shortRef(facts.ref)} was created`
    case 'ref.deleted':
      return `The ${facts.refType ?? 'branch'} ${shortRef(facts.ref)} was deleted`
    case 'repository.created':
      return `The repository ${facts.name ?? ''} was created`
    case 'repository.transferred':
      return `The repository ${facts.name ?? ''} was transferred to ${facts.to ?? ''}`
    case 'repository.deleted':
      return `The repository ${facts.name ?? ''} was deleted`
    case 'release.published':
      return `The release ${facts.title || facts.tag || ''} was published`
    case 'release.updated':
      return `The release ${facts.title || facts.tag || ''} was ${facts.publishes ? 'published' : 'edited'}`
    case 'release.deleted':
      return `The release ${facts.title || facts.tag || ''} was deleted`
    case 'org.created':
      return `The organization ${facts.name ?? ''} was created`
    case 'org.edited':
      return `The organization was edited: ${(facts.changed ?? '').replaceAll(' ', ', ')}`
    case 'org.renamed':
      return `The organization was renamed from ${facts.from ?? ''} to ${facts.to ?? ''}`
    case 'org.deleted':
      return `The organization ${facts.name ?? ''} was deleted`
    case 'org.member_added':
      return `${facts.member ?? 'Someone'} joined the organization`
    case 'org.member_removed':
      return `${facts.member ?? 'Someone'} left the organization`
    case 'team.created':
      return `The team ${facts.team ?? ''} was created`
    case 'team.edited':
      return `The team ${facts.team ?? ''} was edited`
    case 'team.deleted':
      return `The team ${facts.team ?? ''} was deleted`
    case 'team.repository_added':
      return `The team ${facts.team ?? ''} was given the repository ${facts.repository ?? ''}`
    case 'team.repository_removed':
      return `The repository ${facts.repository ?? ''} was taken from the team ${facts.team ?? ''}`
    case 'team.member_added':
      return `${facts.member ?? 'Someone'} was added to the team ${facts.team ?? ''}`
    case 'team.member_removed':
      return `${facts.member ?? 'Someone'} was removed from the team ${facts.team ?? ''}`
    case 'key.added':
      return `The SSH key ${facts.title ?? ''} was added`
    case 'key.removed':
      return `The SSH key ${facts.title ?? ''} was deleted`
    case 'run.created':
      return `${run(facts)} was requested`
    case 'run.retried':
      return `${run(facts)} was requested again`
    case 'run.started':
      return `${run(facts)} started`
    case 'run.completed':
      return `${run(facts)} ${endOf(facts.conclusion)}`
    case 'job.blocked':
      return `${job(facts)} waits for other jobs`
    case 'job.queued':
      return `${job(facts)} was queued`
    case 'job.started':
      return `${job(facts)} started`
    case 'job.completed':
      return `${job(facts)} ${endOf(facts.conclusion)}`
    default:
      return kind
  }
}

const run = ({ number, attempt = 1 }: Partial<FactsOf<'run.created'>>): string =>
  `Run #${number ?? ''}${attempt > 1 ? `, attempt ${attempt},` : ''}`

const job = ({ name, attempt = 1 }: Partial<FactsOf<'job.started'>>): string =>
  `The job ${name ?? ''}${attempt > 1 ? `, attempt ${attempt},` : ''}`

function endOf(conclusion = ''): string {
  switch (conclusion) {
    case 'success':
      return 'succeeded'
    case 'failure':
      return 'failed'
    case 'cancelled':
      return 'was canceled'
    case 'skipped':
      return 'was skipped'
    default:
      return 'ended'
  }
}

const shortRef = (ref = ''): string => ref.replace(/^refs\/(heads|tags)\//, '')
