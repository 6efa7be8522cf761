import type { FactsOf, StoredEvent } from '@/server/events'

/** Tells what somebody did, as the rest of a sentence that begins with who it was: `added the SSH key “laptop”`. */
export function describeEvent(event: StoredEvent): string {
  return phraseOf(event)
}

// Without a default: a new kind of event needs words here before this compiles.
function phraseOf(event: StoredEvent): string {
  switch (event.kind) {
    case 'user.created':
      return `created the account ${event.facts.name}${event.facts.admin ? ', an administrator' : ''}`
    case 'user.edited':
      return `changed the account ${event.facts.name}${fields(event.facts.changed)}`
    case 'user.renamed':
      return `renamed the account ${event.facts.from} to ${event.facts.to}`
    case 'user.deleted':
      return `deleted the account ${event.facts.name}`
    case 'user.blocked':
      return `blocked ${event.facts.name}`
    case 'user.unblocked':
      return `unblocked ${event.facts.name}`
    case 'password.changed':
      return 'changed the password'
    case 'session.opened':
      return 'signed in'
    case 'session.ended':
      return 'count' in event.facts ? `ended ${number(event.facts.count, 'session')}` : 'ended a session'
    case 'token.created':
      return `created the access token ${quoted(event.facts.name)}${scopes(event.facts.scopes)}`
    case 'token.removed':
      return `removed the access token ${quoted(event.facts.name)}`
    case 'key.added':
      return `added the SSH key ${quoted(event.facts.title)}${event.facts.expiresAt ? `, which works until ${event.facts.expiresAt.slice(0, 10)}` : ''}`
    case 'key.removed':
      return `removed the SSH key ${quoted(event.facts.title)}`
    case 'account.revoked': {
      const { name, keys, tokens, sessions } = event.facts
      return `revoked everything of ${name}: ${number(keys, 'SSH key')}, ${number(tokens, 'access token')} and ${number(sessions, 'session')}`
    }
    case 'events.exported':
      return `exported events as ${event.facts.format === 'csv' ? 'CSV' : 'JSON lines'}`

    case 'org.created':
      return `created the organization ${event.facts.name}${event.facts.owner ? `, owned by ${event.facts.owner}` : ''}`
    case 'org.edited':
      return `changed the organization ${event.facts.name}${fields(event.facts.changed)}`
    case 'org.renamed':
      return `renamed the organization ${event.facts.from} to ${event.facts.to}`
    case 'org.deleted':
      return `deleted the organization ${event.facts.name}`
    case 'org.member_added':
      return `added ${event.facts.member} to the organization`
    case 'org.member_removed':
      return `removed ${event.facts.member} from the organization`
    case 'org.member_published':
      return `made the membership of ${event.facts.member} public`
    case 'org.member_concealed':
      return `made the membership of ${event.facts.member} private`

    case 'team.created':
      return `created the team ${event.facts.team}`
    case 'team.edited':
      return `changed the team ${event.facts.team}`
    case 'team.deleted':
      return `deleted the team ${event.facts.team}`
    case 'team.member_added':
      return `added ${event.facts.member} to the team ${event.facts.team}`
    case 'team.member_removed':
      return `removed ${event.facts.member} from the team ${event.facts.team}${event.facts.leftOrganization ? ' and the organization' : ''}`
    case 'team.repository_added':
      return `gave the team ${event.facts.team} the repository ${event.facts.repository}`
    case 'team.repository_removed':
      return `took the repository ${event.facts.repository} from the team ${event.facts.team}`

    case 'repository.created':
      return `created the ${event.facts.private ? 'private ' : ''}repository ${event.facts.name}`
    case 'repository.edited': {
      const { name, formerName, changed } = event.facts
      return formerName && formerName !== name
        ? `renamed the repository ${formerName} to ${name}`
        : `changed the repository ${name}${fields(changed)}`
    }
    case 'repository.transfer_requested':
      return `offered the repository ${event.facts.name} to ${event.facts.recipient}`
    case 'repository.transfer_canceled':
      return `took back the offer of the repository ${event.facts.name} to ${event.facts.recipient}`
    case 'repository.transfer_declined':
      return `declined the repository ${event.facts.name} for ${event.facts.recipient}`
    case 'repository.transferred': {
      const { name, from, to } = event.facts
      return `moved the repository ${name}${from ? ` from ${from}` : ''} to ${to}`
    }
    case 'repository.given_away':
      return `gave the repository ${event.facts.name} to ${event.facts.recipient}`
    case 'repository.deleted':
      return `deleted the ${event.facts.private ? 'private ' : ''}repository ${event.facts.name}`
    case 'collaborator.added':
      return `gave ${event.facts.user} ${event.facts.permission} access to the repository ${event.facts.repository}`
    case 'collaborator.removed':
      return `took access to the repository ${event.facts.repository} from ${event.facts.user}`
    case 'deploy_key.added':
      return `added the deploy key ${quoted(event.facts.title)}, which may ${event.facts.readOnly ? 'read' : 'write'}`
    case 'deploy_key.removed':
      return `removed the deploy key ${quoted(event.facts.title)}`

    case 'hook.added':
      return `added a webhook to ${event.facts.target}`
    case 'hook.edited':
      return `changed the webhook to ${event.facts.target}${fields(event.facts.changed)}`
    case 'hook.disabled':
      return `disabled the webhook to ${event.facts.target}, which ${event.facts.why === 'gone' ? 'is gone' : 'kept failing'}`
    case 'hook.removed':
      return `removed the webhook to ${event.facts.target}`

    case 'secret.added':
    case 'variable.added':
      return `added the ${thing(event.kind)} ${event.facts.name}`
    case 'secret.edited':
    case 'variable.edited':
      return `changed the ${thing(event.kind)} ${event.facts.name}`
    case 'secret.removed':
    case 'variable.removed':
      return `removed the ${thing(event.kind)} ${event.facts.name}`
    case 'runner.registered':
      return `registered the ${event.facts.ephemeral ? 'ephemeral ' : ''}runner ${quoted(event.facts.name)}`
    case 'runner.edited':
      return `changed the runner ${quoted(event.facts.name)}${fields(event.facts.changed)}`
    case 'runner.disabled':
      return `disabled the runner ${quoted(event.facts.name)}${event.facts.note ? `: ${event.facts.note}` : ''}`
    case 'runner.enabled':
      return `enabled the runner ${quoted(event.facts.name)}`
    case 'runner.deleted':
      return `deleted the runner ${quoted(event.facts.name)}`
    case 'runner.token_reset':
      return 'replaced the token that registers runners'

    case 'git.pushed':
      return `${pushOf(event.facts)}${byKey(event.facts)}`
    case 'ref.created':
      return `created the ${event.facts.refType} ${ref(event.facts.ref)}${byKey(event.facts)}`
    case 'ref.deleted':
      return `deleted the ${event.facts.refType} ${ref(event.facts.ref)}${byKey(event.facts)}`
    case 'refs.changed':
      return `changed ${number(event.facts.refs, 'branch or tag', 'branches and tags')}`
    case 'release.published':
      return `published the release ${event.facts.tag}`
    case 'release.updated':
      return `${event.facts.publishes ? 'published' : 'changed'} the release ${event.facts.tag}`
    case 'release.deleted':
      return `deleted the release ${event.facts.tag}`
    case 'run.created':
      return `started ${run(event.facts)}`
    case 'run.retried':
      return `started ${run(event.facts)} again`
    case 'run.started':
      return `began ${run(event.facts)}`
    case 'run.completed':
      return `completed ${run(event.facts)}: ${event.facts.conclusion}`
    case 'run.deleted':
      return `deleted ${run(event.facts)}`
    case 'workflow.enabled':
      return `enabled the workflow ${event.facts.file}`
    case 'workflow.disabled':
      return `disabled the workflow ${event.facts.file}`
    case 'job.blocked':
      return `left the job ${quoted(event.facts.name)} waiting for other jobs`
    case 'job.queued':
      return `queued the job ${quoted(event.facts.name)}`
    case 'job.started':
      return `began the job ${quoted(event.facts.name)}`
    case 'job.completed':
      return `completed the job ${quoted(event.facts.name)}: ${event.facts.conclusion}`
  }
}

function pushOf({
  ref: name = '',
  before,
  after,
  commits = 0,
  forced,
}: Partial<FactsOf<'git.pushed'>>): string {
  const isTag = name.startsWith('refs/tags/')
  if (isNone(after)) return `pushed the deletion of ${ref(name)}`
  if (isTag) return `${forced ? 'moved' : 'pushed'} the tag ${ref(name)}`
  const added = commits === 0 ? '' : ` with ${number(commits, 'commit')}`
  if (isNone(before)) return `pushed the new branch ${ref(name)}${added}`
  if (commits === 0) return `${forced ? 'force-pushed' : 'moved'} ${ref(name)}`
  return `${forced ? 'force-pushed' : 'pushed'} ${number(commits, 'commit')} to ${ref(name)}`
}

const isNone = (sha = ''): boolean => /^0+$/.test(sha)

const scopes = (names = ''): string =>
  names === 'all' ? ' with full access' : names === '' ? '' : ` for ${names.replaceAll(/[ ,]+/g, ', ')}`

const maxTextLength = 200

/** A text that people chose, which may be long. */
const quoted = (text = ''): string =>
  `“${text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text}”`

const fields = (changed = ''): string => (changed ? ` (${changed.replaceAll(' ', ', ')})` : '')

const number = (count = 0, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`

const thing = (kind: string): string => (kind.startsWith('secret.') ? 'secret' : 'variable')

const ref = (name = ''): string => name.replace(/^refs\/(heads|tags)\//, '')

const byKey = ({ deployKey }: Partial<FactsOf<'ref.created'>>): string =>
  deployKey ? ` with the deploy key ${quoted(deployKey.title)}` : ''

const run = ({ number: count = 0, attempt = 1 }: Partial<FactsOf<'run.created'>>): string =>
  `run #${count}${attempt > 1 ? `, attempt ${attempt}` : ''}`
