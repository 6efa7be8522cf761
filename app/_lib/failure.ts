import type { FieldValues, Path, UseFormGetValues, UseFormSetError } from 'react-hook-form'
import type { ErrorKind, Reason, Reasons } from '@/server/kernel/errors'
import { topicRule } from '@/server/repos/topics/names'
import { isCallError } from './trpc'
import { isolated } from './visible-text'

/** A failed call as screens show it. */
interface Failure {
  kind: ErrorKind | 'unreachable'
  message: string
  field?: string | undefined
  reason?: Reason | undefined
  /** For a conflict between two editors: the current values of the fields on the server. */
  current?: Record<string, string | boolean> | undefined
}

const unreachable: Failure = {
  kind: 'unreachable',
  message: 'Couldn’t reach the server. Check your connection and try again.',
}

export function readFailure(error: unknown): Failure {
  if (!isCallError(error) || !error.data) return unreachable
  const { kind, field, current, movedTo, reason } = error.data
  const message = reason
    ? messageFor(reason)
    : movedTo
      ? `This was renamed to “${movedTo}”. Open it under its new name and try again.`
      : sentence(error.message)
  return { kind: kind as ErrorKind, message, field, reason, current }
}

/** Turns a server message, which starts in lower case, into a full sentence. */
export function sentence(text: string): string {
  const start = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?)]$/.test(start) ? start : `${start}.`
}

interface Form<T extends FieldValues> {
  setError: UseFormSetError<T>
  getValues: UseFormGetValues<T>
}

/** Shows a failed call's message next to its field or, if the form has no such field, above the form. */
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
  label: 'label',
}

/** Messages of pages for the reasons why a call was refused. The API has messages of its own. */
const messages: { [Code in keyof Reasons]: (facts: Reasons[Code]) => string } = {
  nameTaken: ({ what, name }) =>
    what === 'account'
      ? `The name ${name} is already taken. Choose another one.`
      : `${what === 'key' ? 'An' : 'A'} ${kinds[what]} named ${isolated(name)} already exists.`,
  emailTaken: () => 'Another account already uses this email address.',
  nameInvalid: () =>
    'Use only letters and numbers, optionally separated by single dashes, dots, or underscores. The maximum length is 40 characters.',
  nameHeld: ({ name, freeAt }) =>
    `The name ${name} was previously used by another account, and its old URLs still redirect to that account. The name will become available on ${dayText(freeAt)}.`,
  nameReserved: ({ name }) => `“${name}” is a reserved name.`,
  endingReserved: ({ ending }) => `A name can’t end in ${ending}.`,
  keyTaken: ({ title }) =>
    title === null
      ? 'Another account already uses this key.'
      : `This key has already been added as “${isolated(title)}”.`,
  keyOfOtherKind: ({ kind }) =>
    kind === 'person'
      ? 'This key is already in use as a user’s SSH key. Generate a separate key for this repository.'
      : 'This key is already in use as a deploy key. Generate a new key for your account.',
  noPublicKey: () =>
    'This isn’t an SSH public key. Paste the contents of a file that ends in .pub. The key starts with ssh-ed25519, ssh-rsa, or ecdsa-sha2.',
  keyTooLong: ({ most }) =>
    `This is too long to be an SSH public key, which can have at most ${most.toLocaleString('en-US')} characters. Paste a single key.`,
  keyTooWeak: ({ algorithm, bits, least }) => {
    const name = algorithm.toUpperCase()
    const why =
      least === null
        ? `${name} keys are no longer secure and aren’t accepted.`
        : `This ${name} key has ${bits} bits; at least ${least} are required.`
    return `${why} Create a new one with: ssh-keygen -t ed25519`
  },
  ownsRepositories: ({ name, count }) =>
    `${name} still owns ${count === 1 ? '1 repository' : `${count.toLocaleString('en-US')} repositories`}. Delete ${count === 1 ? 'it' : 'them'} first.`,
  lastOwner: ({ name, organization }) =>
    name && organization
      ? `${name} is the last owner of ${organization}. Add another owner or delete the organization first.`
      : 'This is the last owner of the organization. Add someone else to its Owners team or delete the organization first.',
  lastAdministrator: () =>
    'This is the last administrator who can sign in. Make someone else an administrator first.',
  noOrganizations: () => 'You can’t create organizations. Ask an administrator for permission.',
  nameOfDirectory: () => 'This account’s name is managed by the service used to sign in to it.',
  passwordDue: () => 'Choose a new password first.',
  ownAccount: () => 'You can’t delete your own account. Ask another administrator to do it.',
  blocked: () => 'This isn’t allowed because one of you has blocked the other.',
  cannotBlock: ({ why }) => blockText[why],
  notBlocked: () => 'This user isn’t blocked.',
  noSuchPerson: ({ name }) => `There’s no user named ${name}.`,
  noSuchAccount: ({ name }) => `There’s no account named ${name}. It may have been deleted.`,
  gone: ({ what }) =>
    what === 'transfer'
      ? 'This repository no longer has a pending transfer.'
      : `This ${kinds[what]} was deleted, or you no longer have access to it.`,
  transferWaiting: () => 'This repository already has a pending transfer. Cancel it first.',
  tooManyOffers: ({ most }) =>
    `You’ve already offered ${most} repositories to this account. Cancel one of these transfers first.`,
  transferVoid: () => 'The person who offered this repository can no longer transfer it. Decline the offer.',
  ownsAlready: () => 'The owner already has full access.',
  teamHasRepository: ({ team }) => `${team} already has access to this repository.`,
  teamIncludesAll: ({ team }) =>
    `${team} includes all of the organization’s repositories. Change the team’s settings first.`,
  teamLacksRepository: ({ team }) => `${team} doesn’t have access to this repository.`,
  ownersTeamStays: () =>
    'The Owners team can’t be renamed or deleted because every organization needs owners.',
  tooMany: ({ what, most }) =>
    `The limit is ${most.toLocaleString('en-US')} ${heldText[what]}${perScope.has(what) ? '' : ' per account'}. Delete one you don’t need first.`,
  workflowTooMuch: ({ limit }) => `Reading the workflow file took too much ${limit}.`,
  cannotPreview: ({ why }) =>
    why === 'busy'
      ? 'Someone else is changing this right now. Try again in a moment.'
      : 'Too many items are affected to check at once. Try again with fewer items.',
  notAccepted: ({ problem }) => sentence(problem),
  topicsInvalid: ({ names: [name = ''] }) => `${isolated(name)} can’t be a topic. ${topicRule}`,
  changedMeanwhile: ({ what }) =>
    what === 'permissions'
      ? 'Someone else changed these permissions. Review them again.'
      : 'The data to be removed has changed since it was shown. Review it again.',
  archived: () => 'This repository is archived. Unarchive it to make changes.',
  defaultBranchStays: ({ name }) =>
    `${isolated(name)} is the default branch. Make another branch the default before you delete it.`,
  releasedTagStays: ({ name }) =>
    `The release for ${isolated(name)} needs this tag. Delete the release first.`,
  fileChanged: ({ path }) =>
    `${isolated(path)} was changed in the meantime. Compare your version with the current one.`,
  refMoved: ({ name }) =>
    `${isolated(name)} now points to a different commit, so nothing was deleted. Review it before you delete it.`,
}

const dayText = (day: string): string =>
  new Date(day).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })

const perScope: ReadonlySet<string> = new Set([
  'deployKeys',
  'hooks',
  'secrets',
  'variables',
  'topics',
  'labels',
])

const heldText: Record<Reasons['tooMany']['what'], string> = {
  keys: 'SSH keys',
  deployKeys: 'deploy keys',
  tokens: 'access tokens',
  repositories: 'repositories',
  hooks: 'webhooks',
  secrets: 'secrets',
  variables: 'variables',
  topics: 'topics',
  labels: 'labels',
}

const blockText: Record<Reasons['cannotBlock']['why'], string> = {
  self: 'You can’t block yourself.',
  organization: 'Only user accounts can be blocked.',
  member: 'This user is a member of the organization. Remove them first.',
  blocked: 'This user is already blocked.',
}

/** Returns one or more sentences that explain why a call was refused. */
export function messageFor(reason: Reason): string {
  // Each reason is passed to the message of its own code, which the compiler cannot verify.
  const say = messages[reason.code] as (facts: Reason) => string
  return say(reason)
}
