import type { EventKind, FactsOf, StoredEvent } from './catalogue'

/**
 * Describes an event as the rest of a sentence that begins with the actor's name: `added the SSH key “laptop”`. The audit
 * log, webhook explanations and their like share these words.
 */
export function describeEvent(event: StoredEvent): string {
  return (wordings[event.kind] as (facts: object) => string)(event.facts)
}

// An event recorded by an earlier version may lack facts.
type Wordings = { readonly [K in EventKind]: (facts: Partial<FactsOf<K>>) => string }

const wordings: Wordings = {
  'user.created': ({ name, admin }) => `created the account ${name}${admin ? ', an administrator' : ''}`,
  'user.edited': ({ name, changed }) => `changed the account ${name}${fields(changed)}`,
  'user.renamed': ({ from, to }) => `renamed the account ${from} to ${to}`,
  'user.deleted': ({ name }) => `deleted the account ${name}`,
  'user.blocked': ({ name }) => `blocked ${name}`,
  'user.unblocked': ({ name }) => `unblocked ${name}`,
  'password.changed': () => 'changed the password',
  'session.opened': () => 'signed in',
  'session.ended': facts =>
    'count' in facts ? `ended ${number(facts.count, 'session')}` : 'ended a session',
  'token.created': ({ name, scopes }) => `created the access token ${quoted(name)}${withScopes(scopes)}`,
  'token.removed': ({ name }) => `deleted the access token ${quoted(name)}`,
  'key.added': ({ title, expiresAt }) =>
    `added the SSH key ${quoted(title)}${expiresAt ? `, which expires on ${expiresAt.slice(0, 10)}` : ''}`,
  'key.removed': ({ title }) => `deleted the SSH key ${quoted(title)}`,
  'account.revoked': ({ name, keys, tokens, sessions }) =>
    `revoked all credentials of ${name}: ${number(keys, 'SSH key')}, ${number(tokens, 'access token')} and ${number(sessions, 'session')}`,
  'events.exported': ({ format }) => `exported events as ${format === 'csv' ? 'CSV' : 'JSON lines'}`,

  'org.created': ({ name, owner }) => `created the organization ${name}${owner ? `, owned by ${owner}` : ''}`,
  'org.edited': ({ name, changed }) => `changed the organization ${name}${fields(changed)}`,
  'org.renamed': ({ from, to }) => `renamed the organization ${from} to ${to}`,
  'org.deleted': ({ name }) => `deleted the organization ${name}`,
  'org.member_added': ({ member }) => `added ${member} to the organization`,
  'org.member_removed': ({ member }) => `removed ${member} from the organization`,
  'org.member_published': ({ member }) => `made the membership of ${member} public`,
  'org.member_concealed': ({ member }) => `made the membership of ${member} private`,

  'team.created': ({ team }) => `created the team ${team}`,
  'team.edited': ({ team }) => `changed the team ${team}`,
  'team.deleted': ({ team }) => `deleted the team ${team}`,
  'team.member_added': ({ team, member }) => `added ${member} to the team ${team}`,
  'team.member_removed': ({ team, member, leftOrganization }) =>
    `removed ${member} from the team ${team}${leftOrganization ? ' and the organization' : ''}`,
  'team.repository_added': ({ team, repository }) => `added the repository ${repository} to the team ${team}`,
  'team.repository_removed': ({ team, repository }) =>
    `removed the repository ${repository} from the team ${team}`,

  'repository.created': facts => `created the ${repository(facts)}`,
  'repository.edited': ({ name, formerName, changed }) =>
    formerName && formerName !== name
      ? `renamed the repository ${formerName} to ${name}`
      : `changed the repository ${name}${fields(changed)}`,
  'repository.transfer_requested': facts => `requested the transfer of ${transfer(facts)}`,
  'repository.transfer_canceled': facts => `canceled the transfer of ${transfer(facts)}`,
  'repository.transfer_declined': facts => `declined the transfer of ${transfer(facts)}`,
  'repository.transferred': ({ name, from, to }) =>
    `transferred the repository ${name}${from ? ` from ${from}` : ''} to ${to}`,
  'repository.given_away': facts => `transferred ${transfer(facts)}`,
  'repository.deleted': facts => `deleted the ${repository(facts)}`,
  'collaborator.added': ({ user, permission, repository }) =>
    `gave ${user} ${permission} access to the repository ${repository}`,
  'collaborator.removed': ({ user, repository }) =>
    `removed ${user} from the collaborators of the repository ${repository}`,
  'deploy_key.added': ({ title, readOnly }) =>
    `added the deploy key ${quoted(title)} with ${readOnly ? 'read' : 'write'} access`,
  'deploy_key.removed': ({ title }) => `deleted the deploy key ${quoted(title)}`,

  'hook.added': ({ target }) => `added a webhook to ${target}`,
  'hook.edited': ({ target, changed }) => `changed the webhook to ${target}${fields(changed)}`,
  'hook.disabled': ({ target, why }) =>
    `disabled the webhook to ${target} because its receiver ${why === 'gone' ? 'asked for no more deliveries' : 'kept failing'}`,
  'hook.removed': ({ target }) => `deleted the webhook to ${target}`,

  'secret.added': ({ name }) => `added the secret ${name}`,
  'secret.edited': ({ name }) => `changed the secret ${name}`,
  'secret.removed': ({ name }) => `deleted the secret ${name}`,
  'variable.added': ({ name }) => `added the variable ${name}`,
  'variable.edited': ({ name }) => `changed the variable ${name}`,
  'variable.removed': ({ name }) => `deleted the variable ${name}`,
  'runner.registered': ({ name, ephemeral }) =>
    `registered the ${ephemeral ? 'ephemeral ' : ''}runner ${quoted(name)}`,
  'runner.edited': ({ name, changed }) => `changed the runner ${quoted(name)}${fields(changed)}`,
  'runner.disabled': ({ name, note }) => `paused the runner ${quoted(name)}${note ? `: ${note}` : ''}`,
  'runner.enabled': ({ name }) => `resumed the runner ${quoted(name)}`,
  'runner.deleted': ({ name }) => `deleted the runner ${quoted(name)}`,
  'runner.token_reset': () => 'reset the runner registration token',

  'git.pushed': facts => `${push(facts)}${byKey(facts)}`,
  'ref.created': facts => `created the ${facts.refType} ${shortRef(facts.ref)}${byKey(facts)}`,
  'ref.deleted': facts => `deleted the ${facts.refType} ${shortRef(facts.ref)}${byKey(facts)}`,
  'refs.changed': ({ refs }) => `changed ${number(refs, 'branch or tag', 'branches and tags')}`,
  'release.published': ({ tag }) => `published the release ${tag}`,
  'release.updated': ({ tag, publishes }) => `${publishes ? 'published' : 'changed'} the release ${tag}`,
  'release.deleted': ({ tag }) => `deleted the release ${tag}`,
  'run.created': facts => `created ${run(facts)}`,
  'run.retried': facts => `re-ran ${run(facts)}`,
  'run.started': facts => `started ${run(facts)}`,
  'run.completed': facts => `completed ${run(facts)}: ${facts.conclusion}`,
  'run.deleted': facts => `deleted ${run(facts)}`,
  'workflow.enabled': ({ file }) => `enabled the workflow ${file}`,
  'workflow.disabled': ({ file }) => `disabled the workflow ${file}`,
  'job.blocked': ({ name }) => `held the job ${quoted(name)} until other jobs finish`,
  'job.queued': ({ name }) => `queued the job ${quoted(name)}`,
  'job.started': ({ name }) => `started the job ${quoted(name)}`,
  'job.completed': ({ name, conclusion }) => `completed the job ${quoted(name)}: ${conclusion}`,
}

const repository = ({ name, private: isPrivate }: Partial<FactsOf<'repository.created'>>): string =>
  `${isPrivate ? 'private ' : ''}repository ${name}`

const transfer = ({ name, recipient }: Partial<FactsOf<'repository.given_away'>>): string =>
  `the repository ${name} to ${recipient}`

function push({
  ref: name = '',
  before,
  after,
  commits = 0,
  forced,
}: Partial<FactsOf<'git.pushed'>>): string {
  const ref = shortRef(name)
  const isTag = name.startsWith('refs/tags/')
  if (isZero(after)) return `pushed the deletion of ${ref}`
  if (isTag) return `${forced ? 'moved' : 'pushed'} the tag ${ref}`
  if (isZero(before))
    return `pushed the new branch ${ref}${commits ? ` with ${number(commits, 'commit')}` : ''}`
  if (commits === 0) return `${forced ? 'force-pushed' : 'moved'} ${ref}`
  return `${forced ? 'force-pushed' : 'pushed'} ${number(commits, 'commit')} to ${ref}`
}

const isZero = (sha = ''): boolean => /^0+$/.test(sha)

const shortRef = (ref = ''): string => ref.replace(/^refs\/(heads|tags)\//, '')

const byKey = ({ deployKey }: Partial<FactsOf<'ref.created'>>): string =>
  deployKey ? ` with the deploy key ${quoted(deployKey.title)}` : ''

const run = ({ number: count = 0, attempt = 1 }: Partial<FactsOf<'run.created'>>): string =>
  `run #${count}${attempt > 1 ? `, attempt ${attempt}` : ''}`

const withScopes = (names = ''): string =>
  names === 'all' ? ' with full access' : names === '' ? '' : ` for ${names.replaceAll(/[ ,]+/g, ', ')}`

const maxTextLength = 200

// Titles can be long.
const quoted = (text = ''): string =>
  `“${text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text}”`

const fields = (changed = ''): string => (changed ? ` (${changed.replaceAll(' ', ', ')})` : '')

const number = (count = 0, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
