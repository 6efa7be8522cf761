import { type DomainError, unavailable } from '../errors'
import { singleton } from '../singleton'

/** What keeps a disk from taking files, whichever they are. */
export type DiskTrouble = 'full' | 'readOnly' | 'failing'

const ofCodes = new Map<string, DiskTrouble>([
  ['ENOSPC', 'full'],
  ['EDQUOT', 'full'],
  ['EROFS', 'readOnly'],
  ['EIO', 'failing'],
  ['ESTALE', 'failing'],
])

/** What is wrong with the disk that a call to the file system, or git, failed of; undefined for every other failure. */
export function diskTroubleOf(error: unknown): DiskTrouble | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return (syscall === undefined ? undefined : ofCodes.get(code)) ?? diskTroubleOf(error.cause)
}

const byMessage: [RegExp, string][] = [
  // Git does not always pass on the reason why a write failed.
  [/no space left on device|out of diskspace|failed to write new configuration file/i, 'ENOSPC'],
  [/disk quota exceeded/i, 'EDQUOT'],
  [/read-only file system/i, 'EROFS'],
  [/input\/output error/i, 'EIO'],
  [/stale file handle/i, 'ESTALE'],
  // One that the database knows is away with its share.
  [/not a git repository/i, 'ESTALE'],
]

/** The failure of the disk that a program complains of in the words of the system, as an error of our own call would be. */
export function diskErrorIn(complaint: string): Error | undefined {
  const [pattern, code] = byMessage.find(([pattern]) => pattern.test(complaint)) ?? []
  return pattern && Object.assign(new Error(pattern.exec(complaint)?.[0]), { code, syscall: 'write' })
}

const sentences: Record<DiskTrouble, string> = {
  full: 'the storage is full',
  readOnly: 'the storage accepts no changes right now',
  failing: 'the storage cannot be reached right now',
}

const last = singleton('disk-trouble', () => ({ at: -Infinity }))

/** What callers may see of it. It is remembered for `hadTrouble`. */
export function diskRefusal(trouble: DiskTrouble, cause?: unknown): DomainError {
  last.at = performance.now()
  return unavailable(sentences[trouble], { cause, retryAfterSeconds: trouble === 'full' ? 60 : 5 })
}

/** Whether this process was refused by a disk in the last minute. */
export const hadTrouble = (): boolean => performance.now() - last.at < 60_000
