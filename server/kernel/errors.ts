/**
 * The one table of failures: a domain error carries a kind, and each transport reads its own column.
 * Rooms throw by kind and know nothing of HTTP.
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
  /** Somebody else has changed, or is changing, the same: the call may be made anew. */
  conflict: { status: 409, trpc: 'CONFLICT', twirp: 'aborted', connect: 'aborted' },
  /** What was to be made is there, under that name. */
  alreadyExists: { status: 409, trpc: 'CONFLICT', twirp: 'already_exists', connect: 'already_exists' },
  /** A page acts for somebody who is not, or no longer, the person signed in. */
  viewerChanged: {
    status: 409,
    trpc: 'CONFLICT',
    twirp: 'failed_precondition',
    connect: 'failed_precondition',
  },
  /** Something else must be done first. */
  preconditionFailed: {
    status: 412,
    trpc: 'PRECONDITION_FAILED',
    twirp: 'failed_precondition',
    connect: 'failed_precondition',
  },
  /** It is archived: it can be read and not changed. */
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
 * Why a call was refused, with the facts a sentence about it needs: the wire has its message, a screen words the reason
 * by itself.
 */
export interface Reasons {
  nameTaken: {
    what: 'account' | 'team' | 'repository' | 'key' | 'token' | 'release' | 'secret' | 'variable'
    name: string
  }
  emailTaken: { email: string }
  nameInvalid: { name: string }
  /** `freeAt` is the day from which anybody may have it, as `YYYY-MM-DD`. */
  nameHeld: { name: string; freeAt: string }
  nameReserved: { name: string }
  endingReserved: { ending: string }
  /** `title` is the caller's own entry that holds the key; null when another account holds it. */
  keyTaken: { title: string | null }
  /** The key opens repositories or is a person's, and cannot be both. */
  keyOfOtherKind: { kind: 'person' | 'deploy' }
  noPublicKey: object
  /** `most` is a number of bytes, which are the characters of an ASCII text. */
  keyTooLong: { most: number }
  /** `least` is the size to make a key of; null where a key of this algorithm is refused whatever its size. */
  keyTooWeak: { algorithm: string; bits: number; least: number | null }
  ownsRepositories: { name: string; count: number }
  lastOwner: { name: string | null; organization: string | null }
  lastAdministrator: object
  /** A directory names the account. */
  nameOfDirectory: object
  /** An administrator has said that the caller may create none. */
  noOrganizations: object
  ownAccount: object
  passwordDue: object
  blocked: object
  cannotBlock: { why: 'self' | 'organization' | 'member' | 'blocked' }
  notBlocked: object
  noSuchPerson: { name: string }
  noSuchAccount: { name: string }
  /** What a page acts on is not there, or is hidden from the caller: the two are not told apart. */
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
  }
  ownsAlready: object
  transferWaiting: object
  tooManyOffers: { most: number }
  /** Who offered the repository owns it no more, or cannot sign in anymore. */
  transferVoid: object
  teamHasRepository: { team: string }
  teamIncludesAll: { team: string }
  teamLacksRepository: { team: string }
  ownersTeamStays: object
  tooMany: {
    what: 'keys' | 'deployKeys' | 'tokens' | 'repositories' | 'hooks' | 'secrets' | 'variables'
    most: number
  }
  /** Reading a workflow reached a limit, which tells little of whether it is valid. */
  workflowTooMuch: { limit: 'time' | 'memory' }
  cannotPreview: { why: 'busy' | 'tooMuch' }
  /** `problem` says what is wrong with the value of the field, or what is right, where clients know the message word for word. */
  notAccepted: { problem: string }
  changedMeanwhile: { what: 'permissions' | 'effects' }
  archived: object
  defaultBranchStays: { name: string }
  releasedTagStays: { name: string }
  /** `name` is the first branch or tag that leads elsewhere than it did. */
  refMoved: { name: string }
}
export type Reason = { [Code in keyof Reasons]: { code: Code } & Reasons[Code] }[keyof Reasons]

/** `field` is the wire name of the input at fault, so a form can show the message beside it. */
export interface ErrorDetails {
  field?: string
  reason?: Reason
  cause?: unknown
  retryAfterSeconds?: number
  /** Of `moved`: what the field should hold now, and whether that is for good; with a new owner, also what `repo` should hold. */
  movedTo?: { name: string; permanent: boolean; repo?: string }
  /** Of `viewerChanged`: the name of who is signed in now, or null for nobody. */
  viewer?: string | null
  /** Of a conflict between two editors: what the fields hold by now, by their wire names. */
  current?: Record<string, string | boolean>
}

/** What a page tells the browser of an error of the kind `unavailable`, which learns nothing else of any error. */
export const unavailableDigest = 'unavailable'

const brand = Symbol.for('guildhall.domain-error')

/** A failure a caller may be told about: the message is meant for the person who reads it. */
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

// Next bundles its own copy of this class, so `instanceof` would miss errors that cross the two graphs.
export function isDomainError(error: unknown): error is DomainError {
  return typeof error === 'object' && error !== null && brand in error
}

/** The header that tells when to come back, where that is known. */
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
/** For a call under a former name, to those who may see what it leads to: the field's value now, and whether that is for good. */
export const moved = (field: string, name: string, permanent = false): DomainError =>
  new DomainError('moved', 'moved', { field, movedTo: { name, permanent } })
/** As `moved`, for a repository that another account owns now. */
export const movedAway = (owner: string, repo: string): DomainError =>
  new DomainError('moved', 'moved', { field: 'owner', movedTo: { name: owner, permanent: true, repo } })
export const methodNotAllowed = (message: string): DomainError => new DomainError('methodNotAllowed', message)
export const tooManyRequests = (message: string, retryAfterSeconds: number): DomainError =>
  new DomainError('tooManyRequests', message, { retryAfterSeconds })
export const tooBusy = (): DomainError => tooManyRequests('too busy at the moment; try again in a second', 1)
