import type { FieldValues, Path, UseFormGetValues, UseFormSetError } from 'react-hook-form'
import type { ErrorKind, Reason, Reasons } from '@/server/kernel/errors'
import { isCallError } from './trpc'
import { isolated } from './visible-text'

/** What a screen may know of a call that failed. */
interface Failure {
  kind: ErrorKind | 'unreachable'
  message: string
  field?: string | undefined
  reason?: Reason | undefined
  /** Of a conflict between two editors: what the fields hold on the server by now. */
  current?: Record<string, string | boolean> | undefined
}

const unreachable: Failure = {
  kind: 'unreachable',
  message: 'The server could not be reached. Check your connection and try again.',
}

export function readFailure(error: unknown): Failure {
  if (!isCallError(error) || !error.data) return unreachable
  const { kind, field, current, movedTo, reason } = error.data
  const message = reason
    ? messageFor(reason)
    : movedTo
      ? `Somebody has renamed this to “${movedTo}” in the meantime. Open it under that name and try again.`
      : sentence(error.message)
  return { kind: kind as ErrorKind, message, field, reason, current }
}

/** The server speaks in lower-case prose; a screen shows whole sentences. */
export function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?)]$/.test(start) ? start : `${start}.`
}

interface Form<T extends FieldValues> {
  setError: UseFormSetError<T>
  getValues: UseFormGetValues<T>
}

/** Puts a failed call where the person can act on it: beside its field, or above the form. */
export function showFailure<T extends FieldValues>(form: Form<T>, error: unknown): void {
  const { field, message } = readFailure(error)
  const known = field !== undefined && field in form.getValues()
  form.setError(known ? (field as Path<T>) : 'root.server', { message }, { shouldFocus: known })
}

const kinds = {
  account: 'account',
  team: 'team',
  organization: 'organization',
  repository: 'repository',
  transfer: 'transfer',
  key: 'SSH key',
  token: 'token',
  hook: 'webhook',
  release: 'release',
  attachment: 'file',
  run: 'run',
  job: 'job',
  artifact: 'artifact',
  runner: 'runner',
  branch: 'branch',
  tag: 'tag',
  secret: 'secret',
  variable: 'variable',
}

/** The one place where pages word why something was refused; the wire has words of its own. */
const messages: { [Code in keyof Reasons]: (facts: Reasons[Code]) => string } = {
  nameTaken: ({ what, name }) =>
    what === 'account'
      ? `The name ${name} is taken. Choose another one.`
      : `${what === 'key' ? 'An' : 'A'} ${kinds[what]} named ${isolated(name)} already exists.`,
  emailTaken: () => 'Another account has this e-mail address.',
  nameInvalid: () =>
    'Use only letters and digits, and single dashes, dots or underscores between them, up to 40 characters in all.',
  nameHeld: ({ name, freeAt }) =>
    `Another account was called ${name} before, and its old addresses still lead there. Anybody may take the name from ${dayText(freeAt)} on.`,
  nameReserved: ({ name }) => `The name ${name} has a meaning of its own here. Choose another one.`,
  endingReserved: ({ ending }) => `A name cannot end in ${ending}.`,
  keyTaken: ({ title }) =>
    title === null
      ? 'Another account has this key.'
      : `This key has already been added, as “${isolated(title)}”.`,
  keyOfOtherKind: ({ kind }) =>
    kind === 'person'
      ? 'This is a person’s SSH key, which cannot be a deploy key too. Make a key of its own for this.'
      : 'This is a deploy key of a repository, which cannot be a person’s key too. Make a key of your own.',
  noPublicKey: () =>
    'This is not an SSH public key. One is the line in a file that ends in .pub, and begins with ssh-ed25519, ssh-rsa or ecdsa-sha2.',
  keyTooLong: ({ most }) =>
    `This is too long for an SSH public key, which has at most ${most.toLocaleString('en-US')} characters here. Paste one key alone.`,
  keyTooWeak: ({ algorithm, bits, least }) => {
    const name = algorithm.toUpperCase()
    const why =
      least === null
        ? `${name} keys are no longer safe, and none is accepted.`
        : `This ${name} key has ${bits} bits; at least ${least} are needed.`
    return `${why} Make a new one with: ssh-keygen -t ed25519`
  },
  ownsRepositories: ({ name, count }) =>
    `${name} still owns ${count === 1 ? '1 repository' : `${count.toLocaleString('en-US')} repositories`}. Delete ${count === 1 ? 'it' : 'them'} first.`,
  lastOwner: ({ name, organization }) =>
    name && organization
      ? `${name} is the last owner of ${organization}. Add another owner there, or delete it, first.`
      : 'This is the last owner of the organization. Add somebody else to its Owners team first, or delete the organization.',
  lastAdministrator: () =>
    'This is the last administrator who can sign in. Make somebody else an administrator first.',
  noOrganizations: () => 'An administrator has said that you may not create organizations.',
  nameOfDirectory: () => 'This account gets its name where it signs in.',
  passwordDue: () => 'Choose a new password first. Then you can do this.',
  ownAccount: () => 'You cannot delete your own account. Another administrator can.',
  blocked: () => 'One of you has blocked the other. Whoever set the block can lift it.',
  cannotBlock: ({ why }) => blockText[why],
  notBlocked: () => 'They are not blocked.',
  noSuchPerson: ({ name }) => `There is nobody named ${name}.`,
  noSuchAccount: ({ name }) => `There is no account named ${name}. It may have been deleted since.`,
  gone: ({ what }) =>
    what === 'transfer'
      ? 'No transfer of this repository is waiting anymore.'
      : `This ${kinds[what]} has been deleted, or you may no longer see it.`,
  transferWaiting: () => 'The repository is offered to somebody already. Cancel that first.',
  tooManyOffers: ({ most }) =>
    `${most} repositories that you offered to this account are waiting already. Cancel one of these transfers first.`,
  transferVoid: () =>
    'Whoever offered this repository may not give it away anymore, so their offer no longer stands. Decline it.',
  ownsAlready: () => 'The owner already has full access.',
  teamHasRepository: ({ team }) => `${team} already has this repository.`,
  teamIncludesAll: ({ team }) =>
    `${team} includes all repositories of the organization. Change that in the settings of the team first.`,
  teamLacksRepository: ({ team }) => `${team} does not have this repository.`,
  ownersTeamStays: () =>
    'The Owners team keeps its name and cannot be deleted: an organization needs its owners.',
  tooMany: ({ what, most }) =>
    `${perScope.has(what) ? 'One place' : 'An account'} holds at most ${most.toLocaleString('en-US')} ${heldText[what]}. Delete one that is not used.`,
  workflowTooMuch: ({ limit }) => `Reading the workflow takes too much ${limit}.`,
  cannotPreview: ({ why }) =>
    why === 'busy'
      ? 'Somebody else is changing the same thing right now. Try again in a moment.'
      : 'This would end more than can be looked up in time. End part of it first.',
  notAccepted: ({ problem }) => sentence(problem),
  changedMeanwhile: ({ what }) =>
    what === 'permissions'
      ? 'Somebody changed these permissions in the meantime. Look at them again.'
      : 'What this would end has changed since it was shown. Look at it again.',
  archived: () => 'This repository is archived: nothing in it can be changed until it is unarchived.',
  defaultBranchStays: ({ name }) =>
    `${isolated(name)} is the default branch. Make another branch the default before you delete it.`,
  releasedTagStays: ({ name }) => `The release of ${isolated(name)} needs its tag. Delete the release first.`,
  refMoved: ({ name }) =>
    `${isolated(name)} leads to another commit by now, so nothing was deleted. Look at it again before you delete it.`,
}

const dayText = (day: string): string =>
  new Date(day).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

const perScope: ReadonlySet<string> = new Set(['deployKeys', 'hooks', 'secrets', 'variables'])

const heldText: Record<Reasons['tooMany']['what'], string> = {
  keys: 'SSH keys',
  deployKeys: 'deploy keys',
  tokens: 'access tokens',
  repositories: 'repositories',
  hooks: 'webhooks',
  secrets: 'secrets',
  variables: 'variables',
}

const blockText: Record<Reasons['cannotBlock']['why'], string> = {
  self: 'That is you.',
  organization: 'Only people can be blocked.',
  member: 'They are a member of the organization. Remove them first.',
  blocked: 'They are blocked already.',
}

/** A whole sentence, or more than one, saying why something was refused. */
export function messageFor(reason: Reason): string {
  // Each reason goes with the words of its own code; the compiler cannot see that two lookups agree.
  const say = messages[reason.code] as (facts: Reason) => string
  return say(reason)
}
