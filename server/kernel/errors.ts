/**
 * The only table of error kinds, with the code of each kind in REST, tRPC, Twirp and Connect. Other code
 * throws errors by kind and knows nothing about HTTP.
 */
export const errorTable = {
  invalid: { status: 400, trpc: 'BAD_REQUEST', twirp: 'invalid_argument', connect: 'invalid_argument' },
  unauthenticated: {
    status: 401,
    trpc: 'UNAUTHORIZED',
    twirp: 'unauthenticated',
    connect: 'unauthenticated',
  },
  forbidden: { status: 403, trpc: 'FORBIDDEN', twirp: 'permission_denied', connect: 'permission_denied' },
  notFound: { status: 404, trpc: 'NOT_FOUND', twirp: 'not_found', connect: 'not_found' },
  methodNotAllowed: {
    status: 405,
    trpc: 'METHOD_NOT_SUPPORTED',
    twirp: 'bad_route',
    connect: 'unimplemented',
  },
  moved: { status: 307, trpc: 'NOT_FOUND', twirp: 'not_found', connect: 'not_found' },
  /** Someone else changed, or is changing, the same object; the call can be repeated. */
  conflict: { status: 409, trpc: 'CONFLICT', twirp: 'aborted', connect: 'aborted' },
  /** An object with this name already exists. */
  alreadyExists: { status: 409, trpc: 'CONFLICT', twirp: 'already_exists', connect: 'already_exists' },
  /** A page acts for a user who is not, or no longer, signed in. */
  viewerChanged: {
    status: 409,
    trpc: 'CONFLICT',
    twirp: 'failed_precondition',
    connect: 'failed_precondition',
  },
  /** The call requires that something else is done first. */
  preconditionFailed: {
    status: 412,
    trpc: 'PRECONDITION_FAILED',
    twirp: 'failed_precondition',
    connect: 'failed_precondition',
  },
  /** The object is archived: it can be read but not changed. */
  locked: {
    status: 423,
    trpc: 'PRECONDITION_FAILED',
    twirp: 'failed_precondition',
    connect: 'failed_precondition',
  },
  /** A limit is reached; waiting does not help. */
  exhausted: {
    status: 403,
    trpc: 'FORBIDDEN',
    twirp: 'resource_exhausted',
    connect: 'resource_exhausted',
  },
  tooLarge: {
    status: 413,
    trpc: 'PAYLOAD_TOO_LARGE',
    twirp: 'resource_exhausted',
    connect: 'resource_exhausted',
  },
  unprocessable: {
    status: 422,
    trpc: 'UNPROCESSABLE_CONTENT',
    twirp: 'invalid_argument',
    connect: 'invalid_argument',
  },
  tooManyRequests: {
    status: 429,
    trpc: 'TOO_MANY_REQUESTS',
    twirp: 'resource_exhausted',
    connect: 'resource_exhausted',
  },
  unavailable: {
    status: 503,
    trpc: 'SERVICE_UNAVAILABLE',
    twirp: 'unavailable',
    connect: 'unavailable',
  },
  internal: { status: 500, trpc: 'INTERNAL_SERVER_ERROR', twirp: 'internal', connect: 'internal' },
} as const

export type ErrorKind = keyof typeof errorTable

/**
 * Machine-readable reasons for refusing a request, by code, each with the values for a message about it. The
 * API sends the message of the error; pages choose their own wording based on the reason.
 */
export interface Reasons {
  nameTaken: {
    what: 'account' | 'team' | 'repository' | 'key' | 'token' | 'release' | 'secret' | 'variable'
    name: string
  }
  emailTaken: { email: string }
  nameInvalid: { name: string }
  /** `freeAt` is the day from which anyone can use the name, as `YYYY-MM-DD`. */
  nameHeld: { name: string; freeAt: string }
  nameReserved: { name: string }
  endingReserved: { ending: string }
  /** `title` is the title of the caller's own key with this content; null if another account has the key. */
  keyTaken: { title: string | null }
  /** The key is already a deploy key or a person's key, and cannot be both. */
  keyOfOtherKind: { kind: 'person' | 'deploy' }
  noPublicKey: object
  /** `most` is a number of bytes. The text is ASCII, so each byte is one character. */
  keyTooLong: { most: number }
  /**
   * `least` is the minimum size for keys of this algorithm; null if the algorithm is refused regardless of
   * size.
   */
  keyTooWeak: { algorithm: string; bits: number; least: number | null }
  ownsRepositories: { name: string; count: number }
  lastOwner: { name: string | null; organization: string | null }
  lastAdministrator: object
  /** The account's name is managed by a directory. */
  nameOfDirectory: object
  /** An administrator does not allow the caller to create organizations. */
  noOrganizations: object
  ownAccount: object
  passwordDue: object
  blocked: object
  cannotBlock: { why: 'self' | 'organization' | 'member' | 'blocked' }
  notBlocked: object
  noSuchPerson: { name: string }
  noSuchAccount: { name: string }
  /**
   * The object that a page acts on was deleted or is hidden from the caller; the response does not distinguish
   * between the two.
   */
  gone: {
    what:
      | 'team'
      | 'organization'
      | 'repository'
      | 'transfer'
      | 'key'
      | 'token'
      | 'hook'
      | 'release'
      | 'attachment'
      | 'run'
      | 'job'
      | 'artifact'
      | 'secret'
      | 'variable'
      | 'runner'
      | 'branch'
      | 'tag'
      | 'label'
  }
  ownsAlready: object
  transferWaiting: object
  tooManyOffers: { most: number }
  /** The account that offered the repository no longer owns it or can no longer sign in. */
  transferVoid: object
  teamHasRepository: { team: string }
  teamIncludesAll: { team: string }
  teamLacksRepository: { team: string }
  ownersTeamStays: object
  tooMany: {
    what:
      | 'keys'
      | 'deployKeys'
      | 'tokens'
      | 'repositories'
      | 'hooks'
      | 'secrets'
      | 'variables'
      | 'topics'
      | 'labels'
    most: number
  }
  /** Reading a workflow exceeded a limit, which does not mean that the workflow is invalid. */
  workflowTooMuch: { limit: 'time' | 'memory' }
  cannotPreview: { why: 'busy' | 'tooMuch' }
  /**
   * `problem` describes the problem or the expected value, if clients depend on the exact message of the
   * field.
   */
  notAccepted: { problem: string }
  topicsInvalid: { names: readonly string[] }
  changedMeanwhile: { what: 'permissions' | 'effects' }
  archived: object
  defaultBranchStays: { name: string }
  releasedTagStays: { name: string }
  /** `name` is the first branch or tag that no longer points to the expected commit. */
  refMoved: { name: string }
  /** A file of a branch is not, or no longer, what a change of it expects. */
  fileChanged: { path: string }
}
export type Reason = { [Code in keyof Reasons]: { code: Code } & Reasons[Code] }[keyof Reasons]

/**
 * Details of a domain error. `field` is the API name of the invalid input, so that a form can show the message
 * next to it.
 */
export interface ErrorDetails {
  field?: string
  reason?: Reason
  cause?: unknown
  retryAfterSeconds?: number
  /**
   * For `moved`: the current value of the field, whether the change is permanent and, with a new owner, the
   * current value of `repo`.
   */
  movedTo?: { name: string; permanent: boolean; repo?: string }
  /** For `viewerChanged`: the name of the user who is signed in, or null if no one is. */
  viewer?: string | null
  /** For a conflict between two editors: the current values of the fields, by their API names. */
  current?: Record<string, string | boolean>
}

/**
 * Digest of a Next.js error that tells the browser that a page failed with an error of the kind
 * `unavailable`. The browser receives no other details of errors.
 */
export const unavailableDigest = 'unavailable'

/** Digest of a Next.js error that tells the browser that a page failed with an error of the kind `tooManyRequests`. */
export const busyDigest = 'busy'

/** Digest of a Next.js error that tells the browser that Git cannot read what a page shows. */
export const unreadableDigest = 'unreadable'

const brand = Symbol.for('guildhall.domain-error')

/**
 * An expected failure that is reported to the caller. Its kind determines the status code, and its message is
 * meant for people.
 */
export class DomainError extends Error {
  readonly field: string | undefined
  readonly reason: Reason | undefined
  readonly retryAfterSeconds: number | undefined
  readonly movedTo: ErrorDetails['movedTo']
  readonly viewer: ErrorDetails['viewer']
  readonly current: ErrorDetails['current']
  readonly [brand] = true

  constructor(
    readonly kind: ErrorKind,
    message: string,
    details: ErrorDetails = {},
  ) {
    super(message, { cause: details.cause })
    this.name = 'DomainError'
    this.field = details.field
    this.reason = details.reason
    this.retryAfterSeconds = details.retryAfterSeconds
    this.movedTo = details.movedTo
    this.viewer = details.viewer
    this.current = details.current
  }
}

// Next bundles its own copy of this class, so `instanceof` would miss errors that cross between the two module
// graphs.
export function isDomainError(error: unknown): error is DomainError {
  return typeof error === 'object' && error !== null && brand in error
}

/** Returns the Retry-After header of an error, if it has one. */
export function retryAfter({ retryAfterSeconds }: DomainError): Record<string, string> {
  return retryAfterSeconds ? { 'Retry-After': String(retryAfterSeconds) } : {}
}

export const invalid = (message: string, details?: ErrorDetails): DomainError =>
  new DomainError('invalid', message, details)
export const unauthenticated = (message = 'token is required'): DomainError =>
  new DomainError('unauthenticated', message)
export const forbidden = (message: string, details?: ErrorDetails): DomainError =>
  new DomainError('forbidden', message, details)
export const notFound = (message = 'not found', details?: ErrorDetails): DomainError =>
  new DomainError('notFound', message, details)
export const deleted = (what: Reasons['gone']['what']): DomainError =>
  notFound('not found', { reason: { code: 'gone', what } })
export const unprocessable = (message: string, details?: ErrorDetails): DomainError =>
  new DomainError('unprocessable', message, details)
export const preconditionFailed = (message: string): DomainError =>
  new DomainError('preconditionFailed', message)
export const locked = (message: string, details?: ErrorDetails): DomainError =>
  new DomainError('locked', message, details)
export const exhausted = (message: string): DomainError => new DomainError('exhausted', message)
export const tooLarge = (message: string): DomainError => new DomainError('tooLarge', message)
export const conflict = (message: string, details?: ErrorDetails): DomainError =>
  new DomainError('conflict', message, details)
export const alreadyExists = (message: string, details?: ErrorDetails): DomainError =>
  new DomainError('alreadyExists', message, details)
export const unavailable = (message: string, details?: ErrorDetails): DomainError =>
  new DomainError('unavailable', message, details)
/**
 * Creates the error for a request that uses a former name, such as that of a renamed account. The error
 * contains the current value of the field and whether the change is permanent, so it must be sent only to
 * callers who can see the renamed object.
 */
export const moved = (field: string, name: string, permanent = false): DomainError =>
  new DomainError('moved', 'moved', { field, movedTo: { name, permanent } })
/**
 * Creates the error for a request that uses the former owner of a repository. The error contains the current
 * owner and name, so it must be sent only to callers who can see the repository.
 */
export const movedAway = (owner: string, repo: string): DomainError =>
  new DomainError('moved', 'moved', { field: 'owner', movedTo: { name: owner, permanent: true, repo } })
export const methodNotAllowed = (message: string): DomainError => new DomainError('methodNotAllowed', message)
export const tooManyRequests = (message: string, retryAfterSeconds: number): DomainError =>
  new DomainError('tooManyRequests', message, { retryAfterSeconds })
export const tooBusy = (): DomainError => tooManyRequests('too busy at the moment; try again in a second', 1)
