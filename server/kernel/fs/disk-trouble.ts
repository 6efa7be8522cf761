import { type DomainError, unavailable } from '../errors'
import { singleton } from '../singleton'

/** Problem that prevents a disk from accepting any files. */
export type DiskTrouble = 'full' | 'readOnly' | 'failing'

const ofCodes = new Map<string, DiskTrouble>([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'readOnly'],
  ['EIO', 'failing'],
  ['ESTALE', 'failing'],
])

/**
 * Returns the disk problem that caused an error of a file system call or of Git, or undefined for any other
 * error.
 */
export function diskTroubleOf(error: unknown): DiskTrouble | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return (syscall === undefined ? undefined : ofCodes.get(code)) ?? diskTroubleOf(error.cause)
}

const byMessage: [RegExp, string][] = [
  // Git does not always report why a write failed.
  [/no space left on device|out of diskspace|failed to write new configuration file/i, 'ENOSPC'],
  [/disk quota exceeded/i, 'EDQUOT'],
  [/read-only file system/i, 'EROFS'],
  [/input\/output error/i, 'EIO'],
  [/stale file handle/i, 'ESTALE'],
  // The database contains the repository, so the share it is on must be unavailable.
  [/not a git repository/i, 'ESTALE'],
]

/**
 * Returns an error like that of a failed `write` system call if the output of a program, such as Git, reports
 * a disk problem; undefined if it reports none.
 */
export function diskErrorIn(complaint: string): Error | undefined {
  const [pattern, code] = byMessage.find(([pattern]) => pattern.test(complaint)) ?? []
  return pattern && Object.assign(new Error(pattern.exec(complaint)?.[0]), { code, syscall: 'write' })
}

const sentences: Record<DiskTrouble, string> = {
  full: 'the storage is full',
  readOnly: 'the storage is not accepting changes right now',
  failing: 'the storage cannot be reached right now',
}

const last = singleton('disk-trouble', () => ({ at: -Infinity }))

/**
 * Returns the `unavailable` error for requests that fail because of a disk problem, and records the time for
 * `hadTrouble`.
 */
export function diskRefusal(trouble: DiskTrouble, cause?: unknown): DomainError {
  last.at = performance.now()
  return unavailable(sentences[trouble], { cause, retryAfterSeconds: trouble === 'full' ? 60 : 5 })
}

/** Returns whether a disk problem caused this process to refuse a request within the last minute. */
export const hadTrouble = (): boolean => performance.now() - last.at < 60_000
