/** A value that a jsonb column can store. */
type Fact = string | number | boolean | null | readonly Fact[] | { readonly [name: string]: Fact }
export type Facts = { readonly [name: string]: Fact }

interface Kind<F extends Facts, Subject extends 'account' | 'repository', Feed extends boolean> {
  /** Whether the event belongs to a repository, which it then names, or to an account. */
  subject: Subject
  /** Whether activity feeds include events of this kind. */
  feed: Feed
  /** If set, only people who can read the repository's code, or its releases, can see the event. */
  needs?: 'code' | 'releases' | undefined
  /**
   * For a kind that is shown in feeds: returns false for an event that another event in the feed already
   * covers.
   */
  isShown?: ((facts: F) => boolean) | undefined
}

const ofAccount = <F extends Facts>(): Kind<F, 'account', false> => ({ subject: 'account', feed: false })
const ofRepository = <F extends Facts>(): Kind<F, 'repository', false> => ({
  subject: 'repository',
  feed: false,
})
const inFeed = <F extends Facts>(
  options: Pick<Kind<F, 'repository', true>, 'needs' | 'isShown'> = {},
): Kind<F, 'repository', true> => ({ subject: 'repository', feed: true, ...options })

/** A commit as stored in events: names and message are truncated, and the date is in ISO 8601. */
export type PushedCommit = {
  sha: string
  message: string
  author: { name: string; email: string }
  committer: { name: string; email: string }
  date: string
}

/** The deploy key that caused the event; absent if a person did. */
type ByDeployKey = { deployKey?: { id: number; title: string } }

/** The job whose token caused an event, with its run. */
export type ByJob = { jobId: number; runId: number; runNumber: number; workflow: string }

/** Returns the job whose token caused an event of any kind; undefined if none did. */
export const jobOfEvent = ({ facts }: { facts: object }): ByJob | undefined =>
  (facts as { byJob?: ByJob }).byJob

/** Whether the push asked to skip workflows; absent if it did not. */
type MaySkip = { skipsWorkflows?: boolean }

/** A deleted object's last representation in the API, stored with the event. */
type Shown = { shown: Facts }

type Push = ByDeployKey &
  MaySkip & {
    repositoryId: number
    ref: string
    /** Previous commit. All zeros only if the push created the ref. */
    before: string
    /** New commit. All zeros only if the push deleted a tag. */
    after: string
    commits: number
    forced: boolean
    summary: string
    newest: PushedCommit[]
    /**
     * Whether this is one of very many ref changes in one push: feeds leave it out, and its commits were not
     * read.
     */
    quiet: boolean
  }
type RefChange = ByDeployKey &
  MaySkip & {
    repositoryId: number
    ref: string
    refType: 'branch' | 'tag'
    sha: string
    quiet: boolean
  }
type Release = {
  repositoryId: number
  releaseId: number
  tag: string
  title: string
  /** What happened, in the words of GitHub's event `release`, separated by spaces; absent in older events. */
  activities?: string
}
type Run = { repositoryId: number; runId: number; number: number; attempt: number; event: string }
type Job = { repositoryId: number; runId: number; jobId: number; attempt: number; name: string }
type Person = { userId: number; name: string }
type Team = { teamId: number; team: string }
/**
 * A webhook. `target` holds only the host and port of its URL, because the URL itself can contain a secret.
 */
type Hook = { hookId: number; type: string; target: string; scope: string; repositoryId: number | null }
type Variable = { variableId: number; name: string; repositoryId: number | null }
/** A runner. `repositoryId` is null for the runners of accounts and of the site. */
type Runner = { runnerId: number; name: string; repositoryId: number | null }
type DeployKey = {
  repositoryId: number
  deployKeyId: number
  /** ID of the public key itself, which several repositories can share. */
  keyId: number
  title: string
  fingerprint: string
  readOnly: boolean
}
type Member = { memberId: number; member: string }
type Transfer = { repositoryId: number; name: string; recipientId: number; recipient: string }

/**
 * All kinds of events, named like `repository.created`, with the type of each kind's facts: JSON values worth
 * displaying, including the IDs of the changed objects, but never a secret. The fact `changed` lists field
 * names, separated by spaces.
 */
export const catalogue = {
  'user.created': ofAccount<Person & { admin: boolean }>(),
  'user.edited': ofAccount<Person & { changed: string }>(),
  'user.renamed': ofAccount<{ userId: number; from: string; to: string }>(),
  'user.deleted': ofAccount<Person>(),
  'user.blocked': ofAccount<Person>(),
  'user.unblocked': ofAccount<Person>(),
  'password.changed': ofAccount<{ userId: number }>(),
  'session.opened': ofAccount<{ sessionId: number }>(),
  'session.ended': ofAccount<{ sessionId: number } | { count: number }>(),
  'token.created': ofAccount<{ tokenId: number; name: string; scopes: string }>(),
  'token.removed': ofAccount<{ tokenId: number; name: string }>(),
  'key.added': ofAccount<{ keyId: number; title: string; fingerprint: string; expiresAt: string | null }>(),
  'key.removed': ofAccount<{ keyId: number; title: string; fingerprint: string } & Shown>(),
  // Recorded in addition to one event for each key, token and session that was revoked.
  'account.revoked': ofAccount<Person & { keys: number; tokens: number; sessions: number }>(),
  // By an administrator, with the filter that was applied.
  'events.exported': ofAccount<{ format: string; filter: Fact }>(),

  'org.created': ofAccount<{ orgId: number; name: string; ownerId: number; owner: string }>(),
  'org.edited': ofAccount<{ orgId: number; name: string; changed: string }>(),
  'org.renamed': ofAccount<{ orgId: number; from: string; to: string }>(),
  'org.deleted': ofAccount<{ orgId: number; name: string } & Shown>(),
  'org.member_added': ofAccount<Member>(),
  'org.member_removed': ofAccount<Member>(),
  'org.member_published': ofAccount<Member>(),
  'org.member_concealed': ofAccount<Member>(),

  'team.created': ofAccount<Team & { permission: string }>(),
  'team.edited': ofAccount<Team & { permission: string }>(),
  'team.deleted': ofAccount<Team & { leftOrganization: number } & Shown>(),
  'team.member_added': ofAccount<Team & Member>(),
  'team.member_removed': ofAccount<Team & Member & { leftOrganization: boolean }>(),
  'team.repository_added': ofAccount<Team & { repositoryId: number; repository: string }>(),
  'team.repository_removed': ofAccount<Team & { repositoryId: number; repository: string }>(),

  'repository.created': inFeed<{ repositoryId: number; name: string; private: boolean }>(),
  'repository.edited': ofRepository<{
    repositoryId: number
    name: string
    formerName: string
    changed: string
  }>(),
  'repository.transfer_requested': ofRepository<Transfer>(),
  'repository.transfer_canceled': ofRepository<Transfer>(),
  'repository.transfer_declined': ofRepository<Transfer>(),
  // Belongs to the new owner. `from` is empty if the former owner is hidden.
  'repository.transferred': inFeed<{
    repositoryId: number
    name: string
    from: string
    fromId: number
    to: string
  }>(),
  // Belongs to the former owner.
  'repository.given_away': ofAccount<Transfer>(),
  'repository.deleted': ofAccount<{ repositoryId: number; name: string; private: boolean } & Shown>(),
  'collaborator.added': ofRepository<{
    repositoryId: number
    repository: string
    userId: number
    user: string
    permission: string
  }>(),
  'collaborator.removed': ofRepository<{
    repositoryId: number
    repository: string
    userId: number
    user: string
  }>(),
  'deploy_key.added': ofRepository<DeployKey>(),
  'deploy_key.removed': ofRepository<DeployKey>(),

  'hook.added': ofAccount<Hook>(),
  'hook.edited': ofAccount<Hook & { changed: string }>(),
  'hook.disabled': ofAccount<Hook & { why: 'gone' | 'failing' }>(),
  'hook.removed': ofAccount<Hook>(),

  'secret.added': ofAccount<Variable>(),
  'secret.edited': ofAccount<Variable & { changed: string }>(),
  'secret.removed': ofAccount<Variable>(),
  'variable.added': ofAccount<Variable>(),
  'variable.edited': ofAccount<Variable & { changed: string }>(),
  'variable.removed': ofAccount<Variable>(),
  'permissions.edited': ofAccount<{ repositoryId: number | null; changed: string }>(),
  'runner.registered': ofAccount<Runner & { ephemeral: boolean }>(),
  'runner.edited': ofAccount<Runner & { changed: string }>(),
  'runner.disabled': ofAccount<Runner & { note: string; resumeAt: string | null }>(),
  'runner.enabled': ofAccount<Runner>(),
  'runner.deleted': ofAccount<Runner>(),
  'runner.token_reset': ofAccount<{ scope: string; repositoryId: number | null }>(),

  // A push that creates a branch appears only once, as the branch creation; the same applies to every push of
  // a tag.
  'git.pushed': inFeed<Push>({
    needs: 'code',
    isShown: ({ ref, before, quiet }) => !/^refs\/tags\//.test(ref) && !/^0+$/.test(before) && !quiet,
  }),
  'ref.created': inFeed<RefChange>({ needs: 'code', isShown: ({ quiet }) => !quiet }),
  'ref.deleted': inFeed<RefChange>({ needs: 'code', isShown: ({ quiet }) => !quiet }),
  'refs.changed': ofRepository<{ repositoryId: number; refs: number }>(),
  'release.published': inFeed<Release>({ needs: 'releases' }),
  // Publishing a draft whose tag already existed is an update of the release.
  'release.updated': inFeed<Release & { publishes: boolean; changed: string }>({
    needs: 'releases',
    isShown: ({ publishes }) => publishes,
  }),
  // A published release became a draft again.
  'release.unpublished': ofRepository<Release>(),
  'release.deleted': ofRepository<Release & Shown>(),
  'run.created': ofRepository<Run>(),
  'run.retried': ofRepository<Run>(),
  // Both are recorded for each attempt.
  'run.started': ofRepository<Run>(),
  'run.completed': ofRepository<Run & { conclusion: string }>(),
  'run.deleted': ofRepository<Run>(),
  // Recorded only if a webhook subscribes to statuses.
  'status.created': ofRepository<{
    repositoryId: number
    sha: string
    number: number
    context: string
    state: string
  }>(),
  'workflow.enabled': ofRepository<{ repositoryId: number; file: string }>(),
  'workflow.disabled': ofRepository<{ repositoryId: number; file: string }>(),
  // The job waits for other jobs.
  'job.blocked': ofRepository<Job>(),
  'job.queued': ofRepository<Job>(),
  'job.started': ofRepository<Job>(),
  'job.completed': ofRepository<Job & { conclusion: string }>(),
}

type Catalogue = typeof catalogue
export type EventKind = keyof Catalogue

export const eventKinds = Object.keys(catalogue) as EventKind[]

type KindsWhere<Shape> = { [K in EventKind]: Catalogue[K] extends Shape ? K : never }[EventKind]

/** Kinds of events that activity feeds include. */
export type FeedKind = KindsWhere<{ feed: true }>

export type FactsOf<K extends EventKind> = Catalogue[K] extends Kind<infer F, infer _, infer __> ? F : never

type SubjectOf<K extends EventKind> =
  K extends KindsWhere<{ subject: 'repository' }> ? { repositoryId: number } : { repositoryId?: never }

/**
 * An event to record. The kind determines the type of `facts`, the event's data, and whether `repositoryId`
 * is required.
 */
export type NewEvent<K extends EventKind = EventKind> = {
  [P in K]: {
    kind: P
    /** The account whose owner can read the event. */
    ownerId: number | null
    facts: FactsOf<P>
  } & SubjectOf<P>
}[K]

/**
 * An event read from the database. Its facts are partial, because events recorded by an earlier version of
 * the server can lack facts that were added later.
 */
export type StoredEvent<K extends EventKind = EventKind> = {
  [P in K]: { kind: P; facts: Partial<FactsOf<P>> }
}[K]

/**
 * Converts a row of `events` to a typed event, or returns undefined for a kind that this version of the
 * server does not know.
 */
export function readEvent(row: { kind: string; data: object }): StoredEvent | undefined {
  return Object.hasOwn(catalogue, row.kind) ? ({ kind: row.kind, facts: row.data } as StoredEvent) : undefined
}

/** Returns whether activity feeds include this particular event. */
export function isInFeed(event: { kind: EventKind; facts: object }): boolean {
  const { feed, isShown }: Kind<never, 'account' | 'repository', boolean> = catalogue[event.kind]
  return feed && (isShown?.(event.facts as never) ?? true)
}

/** Returns whether activity feeds include events of this kind. */
export function isFeedEvent(event: StoredEvent): event is StoredEvent<FeedKind> {
  return catalogue[event.kind].feed
}

const kindsThatNeed = (part: 'code' | 'releases'): readonly string[] =>
  Object.entries(catalogue)
    .filter(([, { needs }]: [string, { needs?: string | undefined }]) => needs === part)
    .map(([kind]) => kind)

/** Kinds of events that only people who can read the repository's code, or its releases, can see. */
export const guardedKinds = { code: kindsThatNeed('code'), releases: kindsThatNeed('releases') }

/**
 * A transient notification of a change: sent to the current listeners of the event hub, but not stored as an
 * event.
 */
export type Notice =
  /** Deliveries of the webhook were added or changed. */
  | { kind: 'hook.delivery_changed'; hookId: number }
  /**
   * The webhook was added, edited, disabled or removed. The notice names its owner, because a removed webhook
   * can no longer be read; both IDs are null for site webhooks.
   */
  | { kind: 'hook.changed'; hookId: number; ownerId: number | null; repositoryId: number | null }
  /**
   * Releases or their files were changed without an event. Changes to drafts concern only people who can edit
   * them.
   */
  | { kind: 'release.changed'; isDraft: boolean; ownerId: number; repositoryId: number }
  /**
   * A runner was registered, changed, came online or was deleted. It belongs to the site if both IDs are null.
   */
  | { kind: 'runner.changed'; runnerId: number; ownerId: number | null; repositoryId: number | null }
  /** The workflow run, one of its jobs or its artifacts changed. */
  | { kind: 'run.changed'; runId: number; repositoryId: number }
  /** Statuses of commits of the repository were reported. */
  | { kind: 'status.changed'; repositoryId: number }
  /** Jobs of the repository became ready for runners to claim. */
  | { kind: 'jobs.queued'; ownerId: number; repositoryId: number }
  /** Jobs of the repository began to wait for the reusable workflows that they call. */
  | { kind: 'calls.waiting'; repositoryId: number }
  /** The log of a task has more lines, or is complete. */
  | { kind: 'log.appended'; taskId: number; runId: number; repositoryId: number }
  /** A repository transfer to the account was requested, or a pending one was resolved or canceled. */
  | { kind: 'transfer.changed'; ownerId: number; repositoryId: null }
  /** Notifications of the person were written, or marked as read. */
  | { kind: 'notifications.changed'; ownerId: number; repositoryId: null }
  /**
   * Secrets or variables were changed: those of the account, of its repository, or of the site if both IDs are
   * null.
   */
  | { kind: 'variables.changed'; ownerId: number | null; repositoryId: number | null }
  /** A key was used over SSH: an account's key, or a deploy key of the repository. */
  | { kind: 'key.used'; keyId: number; ownerId: number | null; repositoryId: number | null }
  /** The webhooks that an event in this scope triggers have been determined. */
  | { kind: 'event.considered'; ownerId: number | null; repositoryId: number | null }
