import { isZeroId, shortRef } from '@/server/kernel/git/ref-names'
import { type EventKind, type FactsOf, jobOfEvent, type StoredEvent } from './catalogue'

/**
 * Describes an event in words that continue a sentence beginning with the actor's name, such as
 * `added the SSH key “laptop”`. Used in the audit log and in the explanations of webhook deliveries.
 */
export function describeEvent(event: StoredEvent): string {
  const words = (wordings[event.kind] as (facts: object) => string)(event.facts)
  const job = jobOfEvent(event)
  return job ? `${words} with the token of run #${job.runNumber} of ${quoted(job.workflow)}` : words
}

// An event recorded by an earlier version may lack facts, whose place stays empty.
const text = (parts: TemplateStringsArray, ...values: (string | number | undefined)[]): string =>
  String.raw({ raw: parts }, ...values.map(value => value ?? ''))

type Wordings = { readonly [K in EventKind]: (facts: Partial<FactsOf<K>>) => string }

const wordings: Wordings = {
  'user.created': ({ name, admin }) => text`created the account ${name}${admin ? ', an administrator' : ''}`,
  'user.edited': ({ name, changed }) => text`changed the account ${name}${fields(changed)}`,
  'user.renamed': ({ from, to }) => text`renamed the account ${from} to ${to}`,
  'user.deleted': ({ name }) => text`deleted the account ${name}`,
  'user.blocked': ({ name }) => text`blocked ${name}`,
  'user.unblocked': ({ name }) => text`unblocked ${name}`,
  'password.changed': () => 'changed the password',
  'session.opened': () => 'signed in',
  'session.ended': facts =>
    'count' in facts ? `ended ${number(facts.count, 'session')}` : 'ended a session',
  'token.created': ({ name, scopes }) => text`created the access token ${quoted(name)}${withScopes(scopes)}`,
  'token.removed': ({ name }) => text`deleted the access token ${quoted(name)}`,
  'key.added': ({ title, expiresAt }) =>
    text`added the SSH key ${quoted(title)}${expiresAt ? `, which expires on ${expiresAt.slice(0, 10)}` : ''}`,
  'key.removed': ({ title }) => text`deleted the SSH key ${quoted(title)}`,
  'account.revoked': ({ name, keys, tokens, sessions }) =>
    text`revoked all credentials of ${name}: ${number(keys, 'SSH key')}, ${number(tokens, 'access token')}, and ${number(sessions, 'session')}`,
  'events.exported': ({ format }) => text`exported events as ${format === 'csv' ? 'CSV' : 'JSON lines'}`,

  'org.created': ({ name, owner }) =>
    text`created the organization ${name}${owner ? `, owned by ${owner}` : ''}`,
  'org.edited': ({ name, changed }) => text`changed the organization ${name}${fields(changed)}`,
  'org.renamed': ({ from, to }) => text`renamed the organization ${from} to ${to}`,
  'org.deleted': ({ name }) => text`deleted the organization ${name}`,
  'org.member_added': ({ member }) => text`added ${member} to the organization`,
  'org.member_removed': ({ member }) => text`removed ${member} from the organization`,
  'org.member_published': ({ member }) => text`made the membership of ${member} public`,
  'org.member_concealed': ({ member }) => text`made the membership of ${member} private`,

  'team.created': ({ team }) => text`created the team ${team}`,
  'team.edited': ({ team }) => text`changed the team ${team}`,
  'team.deleted': ({ team }) => text`deleted the team ${team}`,
  'team.member_added': ({ team, member }) => text`added ${member} to the team ${team}`,
  'team.member_removed': ({ team, member, leftOrganization }) =>
    text`removed ${member} from the team ${team}${leftOrganization ? ' and the organization' : ''}`,
  'team.repository_added': ({ team, repository }) =>
    text`added the repository ${repository} to the team ${team}`,
  'team.repository_removed': ({ team, repository }) =>
    text`removed the repository ${repository} from the team ${team}`,

  'repository.created': facts => text`created the ${repository(facts)}`,
  'repository.edited': ({ name, formerName, changed }) =>
    formerName && formerName !== name
      ? text`renamed the repository ${formerName} to ${name}`
      : text`changed the repository ${name}${fields(changed)}`,
  'repository.transfer_requested': facts => text`requested the transfer of ${transfer(facts)}`,
  'repository.transfer_canceled': facts => text`canceled the transfer of ${transfer(facts)}`,
  'repository.transfer_declined': facts => text`declined the transfer of ${transfer(facts)}`,
  'repository.transferred': ({ name, from, to }) =>
    text`transferred the repository ${name}${from ? ` from ${from}` : ''} to ${to}`,
  'repository.given_away': facts => text`transferred ${transfer(facts)}`,
  'repository.deleted': facts => text`deleted the ${repository(facts)}`,
  'collaborator.added': ({ user, permission, repository }) =>
    text`gave ${user} ${permission} access to the repository ${repository}`,
  'collaborator.removed': ({ user, repository }) =>
    text`removed ${user} from the collaborators of the repository ${repository}`,
  'deploy_key.added': ({ title, readOnly }) =>
    text`added the deploy key ${quoted(title)} with ${readOnly ? 'read' : 'write'} access`,
  'deploy_key.removed': ({ title }) => text`deleted the deploy key ${quoted(title)}`,

  'hook.added': ({ target }) => text`added a webhook to ${target}`,
  'hook.edited': ({ target, changed }) => text`changed the webhook to ${target}${fields(changed)}`,
  'hook.disabled': ({ target, why }) =>
    text`disabled the webhook to ${target} because its receiver ${why === 'gone' ? 'requested no more deliveries' : 'kept failing'}`,
  'hook.removed': ({ target }) => text`deleted the webhook to ${target}`,

  'secret.added': ({ name }) => text`added the secret ${name}`,
  'secret.edited': ({ name }) => text`changed the secret ${name}`,
  'secret.removed': ({ name }) => text`deleted the secret ${name}`,
  'variable.added': ({ name }) => text`added the variable ${name}`,
  'variable.edited': ({ name }) => text`changed the variable ${name}`,
  'variable.removed': ({ name }) => text`deleted the variable ${name}`,
  'permissions.edited': ({ changed }) => text`changed the permissions of job tokens${fields(changed)}`,
  'runner.registered': ({ name, ephemeral }) =>
    text`registered the ${ephemeral ? 'ephemeral ' : ''}runner ${quoted(name)}`,
  'runner.edited': ({ name, changed }) => text`changed the runner ${quoted(name)}${fields(changed)}`,
  'runner.disabled': ({ name, note }) => text`paused the runner ${quoted(name)}${note ? `: ${note}` : ''}`,
  'runner.enabled': ({ name }) => text`resumed the runner ${quoted(name)}`,
  'runner.deleted': ({ name }) => text`deleted the runner ${quoted(name)}`,
  'runner.token_reset': () => 'reset the runner registration token',

  'git.pushed': facts => text`${push(facts)}${byKey(facts)}`,
  'ref.created': facts => text`created the ${facts.refType} ${shortRef(facts.ref ?? '')}${byKey(facts)}`,
  'ref.deleted': facts => text`deleted the ${facts.refType} ${shortRef(facts.ref ?? '')}${byKey(facts)}`,
  'refs.changed': ({ refs }) => text`changed ${number(refs, 'branch or tag', 'branches and tags')}`,
  'release.published': facts => text`published the ${release(facts)}`,
  'release.updated': facts => text`${facts.publishes ? 'published' : 'changed'} the ${release(facts)}`,
  'release.unpublished': facts => text`made the ${release(facts)} a draft`,
  'release.deleted': facts => text`deleted the ${release(facts)}`,
  'run.created': facts => text`created ${run(facts)}`,
  'run.retried': facts => text`reran ${run(facts)}`,
  'run.started': facts => text`started ${run(facts)}`,
  'run.completed': facts => text`completed ${run(facts)}: ${ended(facts)}`,
  'run.deleted': facts => text`deleted ${run(facts)}`,
  'status.created': ({ sha = '', context, state }) =>
    text`reported ${state} for ${sha.slice(0, 10)}${context ? `: ${quoted(context)}` : ''}`,
  'workflow.enabled': ({ file }) => text`enabled the workflow ${file}`,
  'workflow.disabled': ({ file }) => text`disabled the workflow ${file}`,
  'job.blocked': facts => text`held ${job(facts)} until other jobs finish`,
  'job.queued': facts => text`queued ${job(facts)}`,
  'job.started': facts => text`started ${job(facts)}`,
  'job.completed': facts => text`completed ${job(facts)}: ${ended(facts)}`,
}

const repository = ({ name, private: isPrivate }: Partial<FactsOf<'repository.created'>>): string =>
  text`${isPrivate ? 'private ' : ''}repository ${name}`

const transfer = ({ name, recipient }: Partial<FactsOf<'repository.given_away'>>): string =>
  text`the repository ${name} to ${recipient}`

function push({
  ref: name = '',
  before,
  after,
  commits = 0,
  forced,
}: Partial<FactsOf<'git.pushed'>>): string {
  const ref = shortRef(name)
  const isTag = name.startsWith('refs/tags/')
  if (after && isZeroId(after)) return `pushed the deletion of ${ref}`
  if (isTag) return `${forced ? 'moved' : 'pushed'} the tag ${ref}`
  if (before && isZeroId(before))
    return `pushed the new branch ${ref}${commits ? ` with ${number(commits, 'commit')}` : ''}`
  if (commits === 0) return `${forced ? 'force-pushed' : 'moved'} ${ref}`
  return `${forced ? 'force-pushed' : 'pushed'} ${number(commits, 'commit')} to ${ref}`
}

const byKey = ({ deployKey }: Partial<FactsOf<'ref.created'>>): string =>
  deployKey ? ` with the deploy key ${quoted(deployKey.title)}` : ''

const run = ({ number: count = 0, attempt = 1 }: Partial<FactsOf<'run.created'>>): string =>
  text`run #${count}${attempt > 1 ? `, attempt ${attempt}` : ''}`

const job = ({ name, attempt = 1 }: Partial<FactsOf<'job.started'>>): string =>
  `the job ${quoted(name)}${attempt > 1 ? `, attempt ${attempt}` : ''}`

const ended = ({ conclusion = '' }: { conclusion?: string }): string =>
  conclusion === 'cancelled' ? 'canceled' : conclusion

const release = ({ tag = '', title = tag }: Partial<FactsOf<'release.published'>>): string =>
  `release ${tag}${title === '' || title === tag ? '' : ` (${quoted(title)})`}`

const withScopes = (names = ''): string =>
  names === 'all' ? ' with full access' : names === '' ? '' : ` for ${names.replaceAll(/[ ,]+/g, ', ')}`

const maxTextLength = 200

// Titles can be long.
const quoted = (text = ''): string =>
  `“${text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text}”`

const fields = (changed = ''): string => (changed ? ` (${changed.replaceAll(' ', ', ')})` : '')

const number = (count = 0, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
